import type { User } from './generated/api.js';
import { type ListFilter, listOf, type Pages } from './pages.js';
import type { Body, Reply, RequestOptions, Transport } from './transport.js';

/** `svc.users`: the people of the account; no biometric data. */
export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Repeated safely. Scope `users:write`. */
  async create(user: Body<'POST /v1/users'>, options?: RequestOptions): Promise<User> {
    return (await this.#transport.call('POST /v1/users', { body: user }, options)).user;
  }

  /** A user by id. Scope `users:read`. */
  async get(userId: string, options?: RequestOptions): Promise<User> {
    return (await this.#transport.call('GET /v1/users/{userId}', { path: { userId } }, options)).user;
  }

  /** All users that fit the filter, newest first. Scope `users:read`. */
  list(
    filter: ListFilter<'GET /v1/users'> = {},
    options?: RequestOptions,
  ): Pages<User, Reply<'GET /v1/users'>> {
    return listOf(this.#transport, 'GET /v1/users', 'users', filter, options);
  }

  /** Changes what is given; null clears an optional field. `status: 'inactive'` ends the user's sessions. Scope `users:write`. */
  async update(
    userId: string,
    changes: Body<'PATCH /v1/users/{userId}'>,
    options?: RequestOptions,
  ): Promise<User> {
    const input = { path: { userId }, body: changes };
    return (await this.#transport.call('PATCH /v1/users/{userId}', input, options)).user;
  }
}
