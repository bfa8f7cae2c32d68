import { SvcError } from './errors.js';
import { CONTRACT_VERSION } from './generated/api.js';
import type { OperationName, Query, Reply, RequestOptions, Transport } from './transport.js';

/** Collections that come in pages, each under its operation's name for it. */
interface Listed {
  'GET /v1/devices': 'devices';
  'GET /v1/users': 'users';
  'GET /v1/verifications': 'verifications';
  'GET /v1/attendance': 'attendance';
  'GET /v1/audit': 'audit';
  'GET /api/console/audit': 'audit';
  'GET /api/console/keys': 'keys';
}
type ListName = keyof Listed;
type Item<O extends ListName> = Reply<O> extends Record<Listed[O], readonly (infer T)[]> ? T : never;
/** Filters of a list; `limit` is the size of a page, 1 to 100. */
export type ListFilter<O extends OperationName> = Query<O>;

/**
 * A list, newest first: `for await` walks through all records and fetches a page when the one before is used up.
 * Nothing is fetched before.
 */
export class Pages<Item, Page extends { readonly nextCursor: string | null }> implements AsyncIterable<Item> {
  readonly #fetch: (cursor: string | undefined) => Promise<Page>;
  readonly #itemsOf: (page: Page) => readonly Item[];

  constructor(
    fetch: (cursor: string | undefined) => Promise<Page>,
    itemsOf: (page: Page) => readonly Item[],
  ) {
    this.#fetch = fetch;
    this.#itemsOf = itemsOf;
  }

  /** The first page as it is answered; `nextCursor`, given as the filter's `cursor`, leads on. */
  first(): Promise<Page> {
    return this.#fetch(undefined);
  }

  /** Page after page as they are answered. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#fetch(cursor);
      const next = page.nextCursor ?? undefined;
      if (next !== undefined && next === cursor)
        throw new SvcError(
          'not_this_service',
          'A page of the list leads to itself. Check what answers at baseUrl.',
        );
      cursor = next;
      yield page;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }
}

/** @internal The pages of one list; its options hold for each request. */
export function listOf<O extends ListName>(
  transport: Transport,
  name: O,
  collection: Listed[O],
  filter: ListFilter<O>,
  options: RequestOptions | undefined,
): Pages<Item<O>, Reply<O>> {
  return new Pages(
    async (cursor) => {
      const query = cursor === undefined ? filter : { ...filter, cursor };
      return (await transport.send(name, { query }, options)).body as Reply<O>;
    },
    (page) => {
      const items = (page as unknown as Record<string, unknown>)[collection];
      if (Array.isArray(items)) return items;
      throw new SvcError(
        'not_this_service',
        `${transport.settings.baseUrl} answered ${name} without '${collection}'. It is another service, or speaks another version than ${CONTRACT_VERSION}.`,
        { operation: name },
      );
    },
  );
}
