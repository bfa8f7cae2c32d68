import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import { isOwnPerson, requireOwnPerson } from '../sites/sites.js';
import { requireLiving } from '../users/users.js';
import * as store from './marks.store.js';
import type { MarkBody } from './sheets.schema.js';

export const serializeMark = ({ id, user_id: userId, date, code, source, created_at }: store.MarkRow) => ({
  ...{ id, userId, date, code, source, createdAt: iso(created_at) },
});

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

type Context = Pick<ScopedContext, 'read' | 'write'> & {
  readonly principal: KeyPrincipal | ConsolePrincipal;
};

/** Says of a day what another system knows, for example that it is a holiday. Sheets show it and never count it. */
export async function markDay(
  context: Context & { readonly deps: Pick<Deps, 'clock' | 'ids'> },
  { userId, date, code, source }: Static<typeof MarkBody>,
): Promise<store.MarkRow> {
  const { write, deps } = context;
  if (!isDay(date)) invalid('body.date', 'must be a day that exists');
  await requireOwnPerson(context, userId);
  const id = deps.ids();
  return write('attendance.marked', async (w) => {
    const mark = { id, user_id: userId, date, code, source };
    const row = await store.putMark(w, mark, new Date(deps.clock.now()));
    if (row === undefined) await requireLiving(w, userId);
    w.audit({ entityType: 'attendance_mark', entityId: row?.id ?? id, metadata: { userId } });
    return row ?? fail('user_not_found');
  });
}

export async function removeMark(context: Context, id: string): Promise<store.MarkRow> {
  const { user_id: userId } = await requireMark(context.read, id);
  if (!(await isOwnPerson(context, userId))) fail('attendance_mark_not_found');
  return context.write('attendance.mark_removed', async (w) => {
    w.audit({ entityType: 'attendance_mark', entityId: id });
    return (await store.deleteMark(w, id)) ?? fail('attendance_mark_not_found');
  });
}

export const requireMark = async (read: Read, id: string): Promise<store.MarkRow> =>
  (await store.findMark(read, id)) ?? fail('attendance_mark_not_found');
