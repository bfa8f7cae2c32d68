import { sql } from '../../src/db/sql.js';
import { sealedPairings } from '../../src/features/pairing/pairing.js';
import { completeCeremony } from './ceremony.js';
import { openPairing } from './pairing.js';
import {
  INSERTED,
  keepRow,
  type MadeRecords,
  type RecordAttack,
  retire,
  run,
  sayAllAreSealed,
  send,
} from './record-attacks.js';

/** Also what is sealed when it ends: a completed registration, a pairing that was declined, and one that waits. */
export interface MadeEnded extends MadeRecords {
  readonly registration: string;
  readonly declined: string;
  readonly waiting: string;
}

export async function makeEnded(on: MadeRecords): Promise<MadeEnded> {
  const { service, account } = on;
  await sayAllAreSealed(on);
  const { c } = await completeCeremony(service, account, { profile: { fullName: 'Cleo' } });
  const [declined, waiting] = [
    await openPairing(service, account.key),
    await openPairing(service, account.key),
  ];
  await send(on, `/v1/proof-pairing/sessions/${declined.id}/decline`, { reason: 'not_me' }, 'POST');
  return { ...on, registration: c.id, declined: declined.id, waiting: waiting.id };
}

/** With the server's secret, too. */
async function rewriteDeclined({ service, account, declined }: MadeEnded): Promise<void> {
  const scope = { tenantId: account.tenantId, environment: 'live' } as const;
  const actor = { type: 'system', id: null } as const;
  const { of } = sealedPairings;
  await service.app.deps.write({ scope, actor, action: 'pairing.declined' }, async (w) => {
    w.audit({ entityType: 'pairing_session', entityId: declined });
    const seal = w.seal('pairing');
    const [row] =
      await w.mutate(sql.mutation`update proof_pairing_sessions set state = 'rejected', ${seal.assignments}
      where tenant_id = ${scope.tenantId} and environment = 'live' and id = ${declined} returning ${of.list}`);
    seal.place(of.serialize(row as object));
  });
}

const approve = (on: MadeEnded, id: string) =>
  run(
    on,
    sql`update proof_pairing_sessions set state = 'bound', bound_at = created_at, user_id = ${on.user}, did = 'did:svc:00'
      where id = ${id}`,
  );

const ofRegistration =
  (fault: 'record_changed' | 'salt_missing' | 'record_undeleted') =>
  ({ registration }: MadeEnded) =>
    [[fault, 'registration', registration]] as const;
const ofDeclined =
  (fault: 'record_changed' | 'record_resealed') =>
  ({ declined }: MadeEnded) =>
    [[fault, 'pairing', declined]] as const;

/** By what was done. */
export const ENDED_ATTACKS: Readonly<Record<string, RecordAttack<MadeEnded>>> = {
  'a completed registration that was made an abandoned one': {
    attack: (on) =>
      run(on, sql`update registration_sessions set state = 'abandoned' where id = ${on.registration}`),
    faults: ofRegistration('record_changed'),
  },
  'a registration that was moved to another person': {
    attack: (on) =>
      run(on, sql`update registration_sessions set user_id = ${on.other} where id = ${on.registration}`),
    faults: ofRegistration('record_changed'),
  },
  'a registration that was opened again': {
    attack: (on) =>
      run(
        on,
        sql`update registration_sessions set state = 'awaiting_device', seal_n = null, facts_salt = null, text_salt = null
          where id = ${on.registration}`,
      ),
    faults: ofRegistration('salt_missing'),
  },
  'a registration whose text was removed although its person was not erased': {
    attack: (on) =>
      run(
        on,
        sql`update registration_sessions set profile = null, did = null, commitment = null, text_salt = null,
          text_hash = repeat('0', 64) where id = ${on.registration}`,
      ),
    faults: ofRegistration('salt_missing'),
  },
  'a registration that was put back after its time was over': {
    async attack(on) {
      const putBack = await keepRow(on, sql`registration_sessions`, on.registration);
      await retire(on);
      await putBack();
    },
    faults: ofRegistration('record_undeleted'),
  },
  'a pairing that was declined, and made one that somebody approved': {
    attack: (on) => approve(on, on.declined),
    faults: ofDeclined('record_changed'),
  },
  'a pairing that was moved to another person': {
    attack: (on) =>
      run(on, sql`update proof_pairing_sessions set user_id = ${on.other} where id = ${on.declined}`),
    faults: ofDeclined('record_changed'),
  },
  'a pairing that was rewritten together with a fitting entry': {
    attack: rewriteDeclined,
    faults: ofDeclined('record_resealed'),
  },
  'a pairing that was inserted': {
    attack: (on) =>
      run(
        on,
        sql`insert into proof_pairing_sessions select (jsonb_populate_record(t, ${JSON.stringify({ id: INSERTED })}::jsonb)).*
          from proof_pairing_sessions t where id = ${on.declined}`,
      ),
    faults: () => [['record_unknown', 'pairing', INSERTED]],
  },
  'a pairing that nobody approved, and was made one that somebody did when all records have a seal': {
    attack: (on) => approve(on, on.waiting),
    faults: ({ waiting }) => [['record_unknown', 'pairing', waiting]],
  },
};
