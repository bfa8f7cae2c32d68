import Type, { type Static, type TSchema } from 'typebox';
import { SealError } from '../base/crypto/sealer.js';
import { DatabaseUnavailableError, type RawDatabase } from '../db/db.js';
import { MIGRATIONS, MigrationMismatchError, migrate, readMigrations } from '../db/migrate.js';
import { createEffects } from '../effects.js';
import {
  type AdministrationDeps,
  ClosedAccountError,
  closeAccount,
  listTenants,
  reopenAccount,
  resetPassword,
  setPlan,
  setStatus,
  UnknownTenantError,
} from '../features/accounts/administration.js';
import { ExportedHead } from '../features/audit/audit.js';
import { compareHeads, listHeads, resignHeads } from '../features/audit/heads.js';
import { finishRestore } from '../features/restore/finish.js';
import { hasNodes, needsRestore } from '../features/restore/restore.js';
import { RestoreError } from '../features/restore/restore-error.js';
import { reseal } from '../features/sealing/reseal.js';
import { sealLater } from '../features/seals/seals.js';
import type { Deps } from '../http/deps.js';
import { compile } from '../http/validate.js';
import { PLANS } from '../model/plans.js';
import { Environment, strictObject, Uuid } from '../records/schema.js';
import { inspect } from './inspect.js';
import { applyScale, NotSpreadableError, planScale } from './scale.js';

/** A command with its input, sent from the command line to the process that has the database open. */
export interface OperatorRequest {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The result. `error` is a sentence for the operator, and `usage` marks an error in the command itself. */
export type OperatorReply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: string; readonly usage?: true };

/** An error that is reported to the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

const MAX_LISTED = 1_000;
/** How many heads one request compares. With more, it would be too long for the socket. */
const MAX_COMPARED = 100;
/** An id or an e-mail. */
const Name = Type.String({ minLength: 1, maxLength: 320 });
const Status = Type.Enum(['active', 'suspended', 'deactivated', 'closing', 'closed']);
const Plan = Type.Enum([...PLANS]);

export interface OperatorDeps extends AdministrationDeps, Pick<Deps, 'clock' | 'config' | 'ids' | 'log'> {
  /** Told what a long command is doing. */
  readonly progress?: ((text: string) => void) | undefined;
  readonly db: RawDatabase;
}

interface Command<S extends TSchema = TSchema> {
  readonly input: S;
  readonly run: (deps: OperatorDeps, input: Static<S>) => Promise<unknown>;
}

const command = <const S extends TSchema>(input: S, run: Command<S>['run']): Command =>
  ({ input, run }) as unknown as Command;

/** Commands about one account, by their verbs. */
const ofAccount = (verbs: Readonly<Record<string, (deps: OperatorDeps, name: string) => Promise<unknown>>>) =>
  Object.fromEntries(
    Object.entries(verbs).map(([verb, run]) => [
      `accounts ${verb}`,
      command(strictObject({ tenant: Name }), (deps, { tenant }) => run(deps, tenant)),
    ]),
  );
/** A node that still serves the database would open sessions while they are ended. */
async function requireNoNodes(db: RawDatabase): Promise<void> {
  if (await hasNodes(db))
    throw new OperatorError(
      'Nodes are connected to this database. Stop all of them, run this command, and start them again.',
    );
}

/** Commands are data, like routes: the socket and the command line derive from these. */
const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: command(strictObject({}), async ({ db, log }) => ({
    applied: await migrate(db, await readMigrations(MIGRATIONS), { log }),
  })),
  inspect: command(strictObject({}), async ({ db, keyring }) =>
    inspect(db, keyring, await readMigrations(MIGRATIONS)),
  ),
  'audit heads': command(
    strictObject({ after: Type.Optional(strictObject({ tenantId: Uuid, environment: Environment })) }),
    async (deps, { after }) => ({ heads: await listHeads(deps, after) }),
  ),
  'audit compare': command(
    strictObject({ heads: Type.Array(ExportedHead, { maxItems: MAX_COMPARED }) }),
    async (deps, { heads }) => ({ differences: await compareHeads(deps, heads) }),
  ),
  'heads resign': command(strictObject({}), async (deps) => {
    const { resigned, unverified, named } = await resignHeads(deps);
    if (unverified === 0) return { resigned };
    const chains = named.map(({ tenantId, environment }) => `${tenantId} ${environment}`).join(', ');
    throw new OperatorError(
      `${resigned} heads were signed again. ${unverified} were not, because their signature verifies with neither SVC_SECRET nor SVC_SECRET_PREVIOUS (${chains}${unverified > named.length ? ', …' : ''}).`,
    );
  }),
  'secrets reseal': command(
    strictObject({ newKey: Type.Optional(Type.Boolean()) }),
    async (deps, { newKey = false }) => {
      const { unopened, named, ...counts } = await reseal(deps, { newKey });
      if (unopened === 0) return counts;
      throw new OperatorError(
        `${counts.values} values were encrypted again. ${unopened} were not, because they cannot be decrypted: they were changed, or copied from another row (${named.join(', ')}${unopened > named.length ? ', …' : ''}).`,
      );
    },
  ),
  'records seal': command(strictObject({}), (deps) => sealLater(deps)),
  'restore finish': command(
    strictObject({
      from: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 4_096 }), { maxItems: 10_000 })),
    }),
    async (deps, { from = [] }) => {
      if (await needsRestore(deps)) await requireNoNodes(deps.db);
      return finishRestore({ ...deps, effects: createEffects(deps) }, from);
    },
  ),
  'scale citus plan': command(strictObject({}), ({ db }) => planScale(db)),
  'scale citus apply': command(strictObject({}), ({ db }) => applyScale(db)),
  'accounts list': command(
    strictObject({
      status: Type.Optional(Status),
      plan: Type.Optional(Plan),
      after: Type.Optional(Uuid),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LISTED })),
    }),
    ({ db }, { limit = 100, ...filter }) => listTenants(db, filter, limit),
  ),
  'accounts set-plan': command(strictObject({ tenant: Name, plan: Plan }), (deps, { tenant, plan }) =>
    setPlan(deps, tenant, plan),
  ),
  ...ofAccount({
    suspend: (deps, tenant) => setStatus(deps, tenant, 'suspended'),
    activate: (deps, tenant) => setStatus(deps, tenant, 'active'),
    deactivate: (deps, tenant) => setStatus(deps, tenant, 'deactivated'),
    close: closeAccount,
    reopen: reopenAccount,
    'reset-password': resetPassword,
  }),
};

/** Runs one command. Errors that the operator can fix are returned, others are thrown. */
export async function runCommand(
  deps: OperatorDeps,
  { command: name, input }: OperatorRequest,
): Promise<OperatorReply> {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (found === undefined)
    return { ok: false, error: `This version has no command ${JSON.stringify(name)}.` };
  const [issue] = compile('body', found.input)(input);
  if (issue !== undefined)
    return {
      ok: false,
      error: `${issue.path.replace(/^body\.?/, '') || 'The input'} ${issue.message}.`,
      usage: true,
    };
  try {
    return { ok: true, result: await found.run(deps, input as never) };
  } catch (error) {
    const sentence = explain(error);
    if (sentence === undefined) throw error;
    return { ok: false, error: sentence };
  }
}

/** Undefined for unexpected errors. */
export function explain(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailableError) {
    const { cause = error } = error;
    return `The database cannot be used: ${(cause as Error).message}`;
  }
  const foreseen = [
    UnknownTenantError,
    ClosedAccountError,
    MigrationMismatchError,
    NotSpreadableError,
    OperatorError,
    MigrationMismatchError,
    NotSpreadableError,
    OperatorError,
    RestoreError,
    SealError,
  ];
  return foreseen.some((kind) => error instanceof kind) ? (error as Error).message : undefined;
}
