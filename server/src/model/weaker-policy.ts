import type { SecurityPolicy } from './security-policy.js';

type Field = keyof SecurityPolicy;

/** Weakest first. */
const NEW_BROWSER = ['allow', 'number', 'nearby_or_same_device'] as const;

/** How strict the value of a field is, with its default. Higher is stricter. */
const STRICTNESS: { readonly [F in Field]?: (policy: SecurityPolicy) => number } = {
  allow_device_attestation_absent: (p) => (p.allow_device_attestation_absent ? 0 : 1),
  require_verified_attestation: (p) => (p.require_verified_attestation ? 1 : 0),
  allow_unbound_proofs: (p) => (p.allow_unbound_proofs ? 0 : 1),
  deprecated_verify: (p) => (p.deprecated_verify === 'off' ? 1 : 0),
  pairing_match: (p) => (p.pairing_match === 'type' ? 1 : 0),
  desktop_tokens_only: (p) => (p.desktop_tokens_only ? 1 : 0),
  same_device_only: (p) => (p.same_device_only ? 1 : 0),
  new_browser: (p) => NEW_BROWSER.indexOf(p.new_browser ?? 'allow'),
  protect_identities: (p) => (p.protect_identities ? 1 : 0),
  recovery_cooldown_hours: (p) => p.recovery_cooldown_hours ?? 24,
  recovery_two_person: (p) => (p.recovery_two_person ? 1 : 0),
  max_identities: (p) => -(p.max_identities ?? 5),
  addition_cooldown_hours: (p) => p.addition_cooldown_hours ?? 0,
  attendance: ({ attendance }) =>
    (attendance?.confirmed_only === false ? 0 : 2) + (attendance?.networks?.length ? 1 : 0),
  audit_checkpoint: (p) => (p.audit_checkpoint ? 0 : 1),
  console_step_up: (p) => (p.console_step_up === 'always' ? 1 : 0),
};

/** Weakest first. The strictest that is set applies. */
const INTEGRITY = [
  'require_basic_integrity',
  'require_device_integrity',
  'require_strong_integrity',
] as const;
const PROVIDERS = ['did', 'verification', 'auditAnchor'] as const;

const strictest = (policy: SecurityPolicy): number => INTEGRITY.findLastIndex((field) => policy[field]);

/** An integrity requirement that was dropped, and no stricter one applies instead. */
const dropped = (before: SecurityPolicy, after: SecurityPolicy): readonly Field[] =>
  INTEGRITY.filter((field, rank) => before[field] && !after[field] && strictest(after) < rank);

/**
 * The fields that allow more than before. An absent field has its default. A shorter retention time is not weaker: it keeps less about
 * people.
 */
export function weakerFields(before: SecurityPolicy, after: SecurityPolicy): readonly Field[] {
  const ranked = (Object.keys(STRICTNESS) as Field[]).filter((field) => {
    const strictness = STRICTNESS[field];
    return strictness !== undefined && strictness(after) < strictness(before);
  });
  const added = after.origins?.some((origin) => !before.origins?.includes(origin));
  const lost = PROVIDERS.some(
    (name) => before.providers?.[name] === 'onchain' && after.providers?.[name] !== 'onchain',
  );
  return [
    ...dropped(before, after),
    ...ranked,
    ...(added ? (['origins'] as const) : []),
    ...(lost ? (['providers'] as const) : []),
  ];
}
