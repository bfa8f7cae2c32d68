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
 * A list, newest first. `for await` reads all records and requests each page when it is needed; `await` gives the first page.
 * Nothing is requested before that, and each `await` or `for await` starts again at the first page.
 */
export class Pages<Item, Page extends { readonly nextCursor: string | null }>
  implements AsyncIterable<Item>, PromiseLike<Page>
{
  readonly #fetch: (cursor: string | undefined) => Promise<Page>;
  readonly #itemsOf: (page: Page) => readonly Item[];

  constructor(
    fetch: (cursor: string | undefined) => Promise<Page>,
    itemsOf: (page: Page) => readonly Item[],
  ) {
    this.#fetch = fetch;
    this.#itemsOf = itemsOf;
  }

  /** The first page, as a promise. To read the next one, pass its `nextCursor` as the filter's `cursor`. */
  first(): Promise<Page> {
    return this.#fetch(undefined);
  }

  /** Makes `await svc.users.list()` the same as `await svc.users.list().first()`. */
  // biome-ignore lint/suspicious/noThenProperty: a list is awaited on purpose
  then<Fulfilled = Page, Rejected = never>(
    onFulfilled?: ((page: Page) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.first().then(onFulfilled, onRejected);
  }

  /** One page after the other. */
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
  const itemsOf = (page: Reply<O>) => (page as unknown as Record<string, unknown>)[collection];
  return new Pages(
    async (cursor) => {
      const query = cursor === undefined ? filter : { ...filter, cursor };
      const page = (await transport.send(name, { query }, options)).body as Reply<O>;
      if (Array.isArray(itemsOf(page))) return page;
      throw new SvcError(
        'not_this_service',
        `${transport.settings.baseUrl} answered ${name} without '${collection}'. It is another service, or speaks another version than ${CONTRACT_VERSION}.`,
        { operation: name },
      );
    },
    (page) => itemsOf(page) as readonly Item<O>[],
  );
}
