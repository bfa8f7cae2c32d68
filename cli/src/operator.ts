import { ConfigError } from '@svc/server/kernel/config';
import { operate } from '@svc/server/operator/operate';
import { UsageError } from './usage-error.js';

export interface Streams {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
}

interface Tenant {
  readonly id: string;
  readonly email: string;
  readonly companyName: string;
  readonly plan: string;
  readonly status: string;
  readonly createdAt: string;
}

/** Names are the tenants' own text: nothing of them may steer the operator's terminal. */
const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

const one = ({ id, email, plan, status }: Tenant) => `${plain(email)} (${id}): ${status}, plan ${plan}`;

const RENDER: Readonly<Record<string, (result: never) => string>> = {
  migrate: ({ applied }: { applied: string[] }) =>
    applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}.`,
  'heads resign': ({ resigned }: { resigned: number }) =>
    resigned === 0 ? 'Every head is signed with the current key.' : `Signed ${resigned} heads anew.`,
  'tenants list': ({ tenants, after }: { tenants: Tenant[]; after: string | null }) => {
    const rows = tenants.map((tenant) => [
      tenant.id,
      tenant.status,
      tenant.plan,
      tenant.createdAt,
      plain(tenant.email),
      plain(tenant.companyName),
    ]);
    const head = ['ID', 'STATUS', 'PLAN', 'CREATED', 'E-MAIL', 'COMPANY'];
    const table = [head, ...rows];
    const widths = head.map((_, column) =>
      Math.max(...table.map((cells) => (cells[column] as string).length)),
    );
    const lines = table.map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    );
    return `${lines.join('\n')}${after === null ? '' : `\nMore with --after ${after}`}`;
  },
  'tenants reset-password': ({ tenant, password }: { tenant: Tenant; password: string }) =>
    `${one(tenant)}\nNew password, shown this once: ${password}\nAll console tokens have ended.`,
};

const changed = ({ tenant, changed: did }: { tenant: Tenant; changed: boolean }) =>
  `${one(tenant)}${did ? '' : ' (it was so already; nothing was written)'}`;

/**
 * Runs a command of the operator and shows what came of it: 0 done, 1 refused.
 * @throws UsageError when an option or operand has a value that it cannot have
 */
export async function runOperator(
  request: Parameters<typeof operate>[1],
  env: Readonly<Record<string, string | undefined>>,
  json: boolean,
  { out, err }: Streams,
): Promise<number> {
  const reply = await operate(env, request).catch((error: unknown) => {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  });
  if (!reply.ok) {
    if (reply.usage) throw new UsageError(reply.error);
    err.write(`${reply.error}\n`);
    return 1;
  }
  const render = RENDER[request.command] ?? changed;
  out.write(`${json ? JSON.stringify(reply.result) : render(reply.result as never)}\n`);
  return 0;
}
