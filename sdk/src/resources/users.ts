import type { User, UserCreateParams, UserListParams, UserPage, UserUpdateParams } from '../generated/api.js';
import type { RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';

/** `svc.users`: the people of the account; no biometric data. */
export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a user. Retried safely. Scope `users:write`. */
  async create(user: UserCreateParams, options?: RequestOptions): Promise<User> {
    return (await this.#transport.call('createUser', { body: user }, options)).user;
  }

  /** A user by id. Scope `users:read`. */
  async get(userId: string, options?: RequestOptions): Promise<User> {
    return (await this.#transport.call('getUser', { path: { userId } }, options)).user;
  }

  /** All users that match the filter, newest first. Scope `users:read`. */
  list(filter: UserListParams = {}, options?: RequestOptions): Pages<User, UserPage> {
    return listOf(this.#transport, 'listUsers', 'users', filter, options);
  }

  /** Changes the given fields; null clears an optional one. `status: 'inactive'` ends the user's sessions. Scope `users:write`. */
  async update(userId: string, changes: UserUpdateParams, options?: RequestOptions): Promise<User> {
    const input = { path: { userId }, body: changes };
    return (await this.#transport.call('updateUser', input, options)).user;
  }
}
