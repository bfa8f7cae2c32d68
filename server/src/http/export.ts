import Type, { type TSchema } from 'typebox';
import { NIL_UUID } from '../base/crypto/random.js';
import { invalid } from '../base/errors.js';
import { readSignedHead } from '../ledger/signed-head.js';
import { BYTE_ORDER_MARK, csvRow } from '../records/csv.js';
import type { RecordListing } from '../records/list.js';
import type { AnySort } from '../records/order.js';
import { strictObject } from '../records/schema.js';
import { listPages } from '../records/seals/sealed-pages.js';
import { listSealed, type SealedTable } from '../records/seals/sealed-rows.js';
import { exampleOf } from './openapi/example.js';
import type { ConsolePrincipal, KeyPrincipal } from './principal.js';
import type { BaseContext, ScopedContext } from './route.js';

const FORMATS = ['csv', 'jsonl'] as const;
type Format = (typeof FORMATS)[number];
const MEDIA_TYPES = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;
const ROWS_AT_ONCE = 500;

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Rows in the format, with the fields in this order. */
const WRITERS: Readonly<Record<Format, (fields: readonly string[], rows: Rows) => string>> = {
  csv: (fields, rows) => rows.map((row) => csvRow(fields.map((field) => row[field]))).join(''),
  jsonl: (_, rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
};

const headOf = (format: Format, fields: readonly string[]): string =>
  format === 'csv' ? BYTE_ORDER_MARK + csvRow(fields) : '';

/** The parts of a route that exports a list: the list's query without its paging, and the fields of its records, with all names. */
export function exportOf<Q extends Record<string, TSchema>>(
  list: { readonly properties: Q },
  columns: Record<string, TSchema>,
) {
  const { limit: _, cursor: __, include: ___, ...filters } = list.properties;
  const fields = Object.keys(columns);
  const example = [exampleOf(strictObject(columns), 'export')] as Rows;
  const query = strictObject({
    ...(filters as Omit<Q, 'limit' | 'cursor' | 'include'>),
    format: Type.Optional(Type.Enum([...FORMATS])),
    include: Type.Optional(
      Type.Enum(['seal'], {
        description: 'Of all records, as JSON Lines: what the seal of each is made of.',
      }),
    ),
  });
  const route = {
    schemas: { query },
    replies: { 200: MEDIA_TYPES.csv },
    examples: { 200: headOf('csv', fields) + WRITERS.csv(fields, example) },
    otherMedia: { [MEDIA_TYPES.jsonl]: WRITERS.jsonl(fields, example) },
    replyHeaders: {
      'Content-Disposition': {
        description: 'The file name, with the environment and the date.',
        example: 'attachment; filename="users-live-2026-05-12.csv"',
      },
    },
  } as const;
  return { fields, route };
}

/** What an export contains. The count is of its beginning, and no records are named. */
type Exported = {
  readonly records: string;
  readonly count: number;
  readonly countIsExact: boolean;
};

/** Records an export in the audit log. Called before its first byte, so that nothing leaves without a trace. */
export async function recordExport(
  { write, scope, isHead }: Pick<ScopedContext, 'write' | 'scope'> & Pick<BaseContext, 'isHead'>,
  metadata: Exported,
): Promise<void> {
  if (isHead) return;
  await write('tenant.exported', async (w) => {
    w.audit({ entityType: 'tenant', entityId: scope.tenantId, metadata });
  });
}

type ExportContext<Query> = Pick<ScopedContext, 'scope' | 'read' | 'write'> &
  Pick<BaseContext, 'deps' | 'setHeader' | 'isHead'> & {
    readonly principal: Pick<KeyPrincipal | ConsolePrincipal, 'revalidate'>;
    readonly query: Query & {
      readonly format?: Format;
      readonly include?: 'seal';
      readonly sort?: AnySort;
    };
  };

/** What the file of an export contains, and when it was made. */
function describeFile(
  { deps, scope, setHeader }: Pick<ExportContext<unknown>, 'deps' | 'scope' | 'setHeader'>,
  collection: string,
  format: Format,
): void {
  const day = new Date(deps.clock.now()).toISOString().slice(0, 10);
  setHeader('content-type', `${MEDIA_TYPES[format]}; charset=utf-8`);
  setHeader(
    'content-disposition',
    `attachment; filename="${collection}-${scope.environment}-${day}.${format}"`,
  );
  setHeader('cache-control', 'no-store');
}

/** Before each page but the first. */
async function requireCredential(
  { read, principal, deps }: Pick<ExportContext<unknown>, 'read' | 'principal' | 'deps'>,
  page: number,
): Promise<void> {
  if (page > 0 && (await read.query(principal.revalidate(deps.clock.now()))).length === 0)
    throw new Error('The credential of this export has ended');
}

/**
 * All rows of a filtered list, in its order. They are read a page at a time, as fast as the client takes them, each page from
 * its own snapshot: records that are created or changed during an export may be missing. The credential is checked again
 * before each page. A failure breaks the connection off, so that a part never looks like the whole.
 */
export async function exportRows<Query, Row, Shown extends object>(
  context: ExportContext<Query>,
  collection: string,
  { fetch, position, show, showNames, count }: RecordListing<Query, Row, Shown>,
  fields: readonly string[],
  sealed: SealedTable,
) {
  const { deps, scope, query } = context;
  const format = query.format ?? 'csv';
  if (query.include === 'seal') requireWhole(query);
  const history = deps.history.of(scope);
  const { total, totalIsExact } = await count(history, query);
  await recordExport(context, { records: collection, count: total, countIsExact: totalIsExact });
  describeFile(context, collection, format);
  if (query.include === 'seal') return sealedLines(context, sealed);
  async function* pieces(): AsyncGenerator<string> {
    let after: string | undefined;
    let page = 0;
    do {
      await requireCredential(context, page++);
      const rows: Row[] = await fetch(history, query, ROWS_AT_ONCE, after);
      const shown = (showNames ? await showNames(history, rows) : rows.map(show)) as Rows;
      yield (after === undefined ? headOf(format, fields) : '') + WRITERS[format](fields, shown);
      const last = rows.at(-1);
      after = rows.length === ROWS_AT_ONCE && last ? position(last, query) : undefined;
    } while (after !== undefined);
  }
  return pieces();
}

/** Seals can only be compared with the chain if no record is missing. */
function requireWhole({ format, include: _, ...rest }: ExportContext<object>['query']): void {
  if (format !== 'jsonl') invalid('query.format', 'must be jsonl with include=seal');
  const filter = Object.keys(rest).find((name) => name !== 'environment');
  if (filter !== undefined) invalid(`query.${filter}`, 'must be absent with include=seal');
}

/**
 * All records of a kind with what their seals are made of, in the order of their ids. Then the pages of those that were sealed later.
 * The last line has how many these are, with the heads of the chain before and after they were read. A file without it is incomplete.
 */
async function* sealedLines(
  context: Pick<ExportContext<unknown>, 'deps' | 'scope' | 'read' | 'principal'>,
  table: SealedTable,
): AsyncGenerator<string> {
  const { deps, scope } = context;
  const history = deps.history.of(scope);
  const headBefore = await readSignedHead(history, deps);
  let after = NIL_UUID;
  let count = 0;
  for (let page = 0, size = ROWS_AT_ONCE; size === ROWS_AT_ONCE; page += 1) {
    await requireCredential(context, page);
    const records = await listSealed(history, table, after, ROWS_AT_ONCE);
    size = records.length;
    count += size;
    after = (records.at(-1)?.id as string | undefined) ?? after;
    yield WRITERS.jsonl([], records);
  }
  let pages = 0;
  for await (const { records } of listPages(history, table.kind)) {
    await requireCredential(context, 1);
    pages += 1;
    yield WRITERS.jsonl([], [{ sealedLater: records }]);
  }
  const headAfter = await readSignedHead(history, deps);
  const end = { kind: table.kind, count, ...(pages > 0 && { pages }), headBefore, headAfter };
  yield WRITERS.jsonl([], [end]);
}
