import { CONTRACT_VERSION, ROUTES } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Input, OperationName, Reply, RequestOptions, Transport } from '../transport/transport.js';

/** The operations that reply with a page. */
type ListName = {
  [O in OperationName]: Reply<O> extends { readonly nextCursor: string | null } ? O : never;
}[OperationName];
/** The property of a page that holds its records. */
type Collection<Page> = {
  [K in keyof Page]: Page[K] extends readonly unknown[] ? K : never;
}[keyof Page];
type Item<Page> = Page[Collection<Page>] extends readonly (infer T)[] ? T : never;
/** The query of a list. */
type Filter<O extends ListName> = Input<O> extends { query?: infer Q extends object } ? Q : never;

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

  /** Iterates over pages. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#fetch(cursor);
      const next = page.nextCursor ?? undefined;
      if (next !== undefined && next === cursor)
        throw new SvcError(
          'not_this_service',
          'The nextCursor of a page leads to the same page. Check that baseUrl is the address of the service.',
        );
      cursor = next;
      yield page;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }
}

/** @internal The pages of a list. `options` apply to each request. `path` names the record that a list belongs to. */
export function listOf<O extends ListName>(
  transport: Transport,
  name: O,
  collection: Collection<Reply<O>> & string,
  filter: Filter<O>,
  options: RequestOptions | undefined,
  path?: Readonly<Record<string, string>>,
): Pages<Item<Reply<O>>, Reply<O>> {
  const itemsOf = (page: Reply<O>) => (page as unknown as Record<string, unknown>)[collection];
  return new Pages(
    async (cursor) => {
      const query = cursor === undefined ? filter : { ...filter, cursor };
      const page = (await transport.send(name, { query, ...(path && { path }) }, options)).body as Reply<O>;
      if (Array.isArray(itemsOf(page))) return page;
      const operation = ROUTES[name].route;
      throw new SvcError(
        'not_this_service',
        `The response of ${transport.settings.baseUrl} to ${operation} has no '${collection}'. Check baseUrl, and that the server supports version ${CONTRACT_VERSION}.`,
        { operation },
      );
    },
    (page) => itemsOf(page) as readonly Item<Reply<O>>[],
  );
}
