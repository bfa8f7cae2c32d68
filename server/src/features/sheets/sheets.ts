import { type Sheet, type SheetOptions, sheetOf } from '@svc/zk/time/sheet';
import { zonedMonth } from '@svc/zk/time/zone';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { Read, Write } from '../../ledger/write.js';
import { page } from '../../records/list.js';
import { requireOwnSite, type SiteRow } from '../sites/sites.js';
import * as closings from './closings.store.js';
import { deleteOldInspections } from './inspections/inspections.store.js';
import * as marks from './marks.store.js';
import { type Opened, recordReading } from './readings.js';
import * as readings from './readings.store.js';
import type { SheetsQuery } from './sheets.schema.js';
import * as store from './sheets.store.js';

/** Raised with each change of what a flag or a minute is. */
export const RULES_VERSION = 1;
const MINUTE_MS = 60_000;
/** Events around a month, so that shifts over its ends are whole, and the rest before its first one is known. */
export const MARGIN_MS = 3 * 24 * 60 * MINUTE_MS;
/** People whose events are read together. */
const PEOPLE_AT_ONCE = 100;

type Principal = KeyPrincipal | ConsolePrincipal;
export type SheetsContext = Pick<ScopedContext, 'scope' | 'read' | 'write'> &
  Pick<BaseContext, 'isHead'> & {
    readonly deps: Deps;
    readonly principal: Principal;
  };

/** A person's month, with what a reader should know besides the hours. */
export interface PersonSheet {
  readonly userId: string;
  readonly name: string;
  readonly employeeCode: string | null;
  readonly sheet: Sheet<number>;
  readonly marks: readonly marks.MarkRow[];
  /** Events of the month by how they are known, and those that the person says are wrong. Voided and rejected ones do not count. */
  readonly counts: Readonly<Record<'proved' | 'declared' | 'agreed' | 'asserted' | 'contested', number>>;
  /** Those that the person says are wrong. */
  readonly contestedIds: readonly string[];
}

/** How a month of a site is computed. One that was closed keeps the zone and the rules that it was closed with. */
export async function optionsOf(read: Read, site: SiteRow, month: string): Promise<SheetOptions<number>> {
  const closed = await closings.findClosing(read, site.id, month);
  return {
    ...{ zone: closed?.time_zone ?? site.time_zone, month, version: RULES_VERSION },
    rules: closed?.rules ?? (site.country === 'DE' || site.country === 'ES' ? site.country : 'none'),
  };
}

/** The zone of a month of a site. */
export const zoneOf = async (read: Read, site: SiteRow, month: string): Promise<string> =>
  (await optionsOf(read, site, month)).zone;

/** The time of a month, and with some days around it. */
export function rangeOf({ zone, month }: SheetOptions) {
  const { days } = zonedMonth(zone, month);
  const [first, last] = [days[0]?.from ?? 0, days.at(-1)?.to ?? 0];
  return {
    month: { from: new Date(first * MINUTE_MS), to: new Date(last * MINUTE_MS) },
    around: { from: new Date(first * MINUTE_MS - MARGIN_MS), to: new Date(last * MINUTE_MS + MARGIN_MS) },
  };
}

/** Who has a sheet of a month at a site. */
async function peopleOf(
  read: Read,
  site: SiteRow,
  options: SheetOptions,
  userId?: string,
): Promise<store.SitePerson[]> {
  const people = await store.listPeople(read, site.id, rangeOf(options).month, userId);
  return people.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

/** The sheets of these people, in their order. */
async function sheetsOf(
  read: Read,
  site: SiteRow,
  options: SheetOptions<number>,
  people: readonly store.SitePerson[],
  asBefore?: () => Promise<Since>,
): Promise<PersonSheet[]> {
  const ids = people.map(({ id }) => id);
  const { month, around } = rangeOf(options);
  const { days } = zonedMonth(options.zone, options.month);
  const [events, marked] = await Promise.all([
    store.listEvents(read, site.id, ids, around),
    marks.listMarks(read, ids, days[0]?.date ?? '', days.at(-1)?.date ?? ''),
  ]);
  const since = await asBefore?.();
  const eventsOf = grouped(since ? eventsBefore(events, since) : events, ({ userId }) => userId);
  const marksOf = grouped(marked, ({ user_id }) => user_id);
  return people.map(({ id, name, employee_code: employeeCode }) => {
    const own = eventsOf.get(id) ?? [];
    const counted = own.filter(
      ({ occurredAt, result, voided }) =>
        !voided && result !== 'rejected' && isIn(month, Date.parse(occurredAt)),
    );
    const count = (is: (event: store.PersonEvent) => boolean) => counted.filter(is).length;
    const contestedIds = counted.filter(({ isContested }) => isContested).map(({ id }) => id);
    return {
      ...{ userId: id, name, employeeCode, sheet: sheetOf(own, options), marks: marksOf.get(id) ?? [] },
      counts: {
        proved: count(({ evidence }) => evidence === 'proved'),
        declared: count(({ evidence }) => evidence === 'declared'),
        agreed: count(({ evidence }) => evidence === 'agreed'),
        asserted: count(({ evidence }) => evidence === 'asserted'),
        contested: contestedIds.length,
      },
      contestedIds,
    };
  });
}

/** The ids of events that were recorded or voided since a moment. */
export interface Since {
  readonly recorded: ReadonlySet<string>;
  readonly voided: ReadonlySet<string>;
}

const eventsBefore = (events: readonly store.PersonEvent[], { recorded, voided }: Since) =>
  events
    .filter(({ id }) => !recorded.has(id))
    .map((event) => (voided.has(event.id) ? { ...event, voided: false } : event));

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

const isIn = ({ from, to }: { readonly from: Date; readonly to: Date }, at: number) =>
  from.getTime() <= at && at < to.getTime();

/** The sheet of one person, if they have one at this site, as it is shown. */
export async function monthOf(read: Read, site: SiteRow, month: string, userId: string) {
  const options = await optionsOf(read, site, month);
  const people = await peopleOf(read, site, options, userId);
  return (await sheetsOf(read, site, options, people)).map(showPerson);
}

/** The same for everybody or for one person, some people at a time. `asBefore` says after each reading what was too late to count. */
export async function* allSheets(
  read: Read,
  site: SiteRow,
  options: SheetOptions<number>,
  {
    userId,
    asBefore,
  }: { readonly userId?: string | undefined; readonly asBefore?: () => Promise<Since> } = {},
): AsyncGenerator<PersonSheet[]> {
  const people = await peopleOf(read, site, options, userId);
  for (let at = 0; at < people.length; at += PEOPLE_AT_ONCE)
    yield await sheetsOf(read, site, options, people.slice(at, at + PEOPLE_AT_ONCE), asBefore);
}

const showPerson = ({ marks: own, ...person }: PersonSheet) => ({
  ...person,
  marks: own.map(({ id, date, code, source }) => ({ id, date, code, source })),
});

/** The order of people: by number, then by name. Those without a number come last. It stays when a person goes. */
const placeOf = ({ employee_code: code, name, id }: store.SitePerson): string =>
  [code === null ? '1' : `0${code}`, name.toLowerCase(), id].join('\u0000');

/** Records that somebody opens sheets. */
export type RecordOpened = (of: Opened) => Promise<void>;

/** A page of the sheets of a site, or that of one person. Each opening is in the audit log, and the phone of the person shows it. */
export async function listSheets(context: SheetsContext & { readonly query: Static<typeof SheetsQuery> }) {
  const { deps, write, principal, query } = context;
  const site = await requireOwnSite(context, query.siteId);
  return readSheets(context, site, (of) =>
    write('attendance.sheet_read', (w) => recordReading(w, deps, principal, of)),
  );
}

/** The same for any reader. */
export async function readSheets(
  {
    deps,
    scope,
    read,
    query,
    isHead,
  }: Pick<SheetsContext, 'deps' | 'scope' | 'read' | 'isHead'> & {
    readonly query: Omit<Static<typeof SheetsQuery>, 'siteId'>;
  },
  site: SiteRow,
  record: RecordOpened,
) {
  const { month, userId } = query;
  const options = await optionsOf(read, site, month);
  const people = await peopleOf(read, site, options, userId?.toLowerCase());
  if (userId !== undefined && people.length === 0) return fail('user_not_found');
  const { items, nextCursor } = await page(
    deps.cursors.sealed,
    scope,
    `sheets|${site.id}|${month}`,
    query,
    async (count, after) =>
      people.filter((person) => after === undefined || placeOf(person) > after).slice(0, count),
    placeOf,
  );
  const sheets = await sheetsOf(read, site, options, items);
  if (!isHead) await record({ siteId: site.id, userId: userId ?? null, month });
  return {
    site: { id: site.id, name: site.name, country: site.country, timeZone: options.zone },
    ...{ month, rules: options.rules, version: RULES_VERSION },
    sheets: sheets.map(showPerson),
    ...{ environment: scope.environment, nextCursor },
  };
}

/** The closings of a month, newest first, with the salts of the sheets in the order of the leaves. */
export const closingsOf = (
  read: Read,
  siteId: string,
  month: string,
): Promise<
  readonly {
    readonly version: number;
    readonly leaves: readonly Pick<closings.Leaf, 'userId' | 'salt'>[];
  }[]
> => closings.listClosings(read, siteId, month);

/** Whether something of months before one is left at a site, besides events. */
export const hasOldSheets = (read: Read, siteId: string, month: string): Promise<boolean> =>
  store.hasOld(read, siteId, month);

/** What goes with the hours of a site when their retention time is over. */
export async function deleteOldSheets(w: Write, siteId: string, month: string): Promise<void> {
  await Promise.all([
    marks.deleteOldMarks(w, siteId, `${month}-01`),
    marks.deleteMarksOfErased(w),
    readings.deleteOldReadings(w, siteId, month),
    closings.deleteOldClosings(w, siteId, month),
    deleteOldInspections(w, siteId, month),
  ]);
}

/** Deletes the marks of an erased person. */
export const eraseMarks = (w: Write, userId: string): Promise<void> => marks.eraseMarks(w, userId);

export { endRestoredInspections } from './inspections/inspections.js';
export { listReadings } from './readings.js';
export { Month, PersonSheet as PersonSheetSchema } from './sheets.schema.js';
export type { HoursAsked } from './write-hours.js';
