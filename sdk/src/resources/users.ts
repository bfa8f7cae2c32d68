import type {
  ImportedUser,
  User,
  UserCreateParams,
  UserEraseParams,
  UserIdentity,
  UserIdentityListParams,
  UserIdentityPage,
  UserListParams,
  UserPage,
  UserRecordProof,
  UserRecordProofGetParams,
  UserUpdateParams,
} from '../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';
import { exportUser, type UserExport } from './user-export.js';

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

  /**
   * Creates up to 100 users together: all or none. In their order the id of each, or null for one whose external ID exists. Retried
   * safely. Scope `users:write`.
   */
  async import(users: readonly ImportedUser[], options?: RequestOptions): Promise<(string | null)[]> {
    const reply = await this.#transport.call('importUsers', { body: { users } }, options);
    return reply.users.map(({ id }) => id);
  }

  /** A user by id. Scope `users:read`. */
  async get(userId: string, options?: RequestOptions): Promise<User> {
    return (await this.#transport.call('getUser', { path: { userId } }, options)).user;
  }

  /**
   * What the record of a person says, with the proof that the audit chain has it so. `from`: the size of a tree that you kept. `verifyRecord` of
   * `@svc/sdk/receipts` checks it. Scopes `users:read` and `audit:read`.
   */
  proof(
    userId: string,
    query: UserRecordProofGetParams = {},
    options?: RequestOptions,
  ): Promise<UserRecordProof> {
    return this.#transport.call('getUserProof', { path: { userId }, query }, options);
  }

  /** All users that match the filter, newest first. Scope `users:read`. */
  list(filter: UserListParams = {}, options?: RequestOptions): Pages<User, UserPage> {
    return listOf(this.#transport, 'listUsers', 'users', filter, options);
  }

  /** The identities of a user, newest first, one for each of their phones. Scope `users:read`. */
  identities(
    userId: string,
    filter: UserIdentityListParams = {},
    options?: RequestOptions,
  ): Pages<UserIdentity, UserIdentityPage> {
    const path = { userId };
    return listOf(this.#transport, 'listUserIdentities', 'identities', filter, options, path);
  }

  /** Changes the given fields; null clears an optional one. `status: 'inactive'` ends the user's sessions. Scope `users:write`. */
  async update(userId: string, changes: UserUpdateParams, options?: RequestOptions): Promise<User> {
    const input = { path: { userId }, body: changes };
    return (await this.#transport.call('updateUser', input, options)).user;
  }

  /**
   * Everything about a user as one JSON document, in pieces of its text: write them to a file. The user and their events are streamed
   * however many there are. Scope `users:read`.
   * @throws SvcError `connection_cut` when the document is cut off
   */
  export(userId: string, options?: RequestOptions): AsyncGenerator<string, void, undefined> {
    return exportUser(this.#transport, userId, options);
  }

  /** The whole document of `export`. Scope `users:read`. */
  async readExport(userId: string, options?: RequestOptions): Promise<UserExport> {
    const pieces: string[] = [];
    for await (const piece of this.export(userId, options)) pieces.push(piece);
    return JSON.parse(pieces.join(''));
  }

  /**
   * Erases everything personal about a user, for good. The id stays in events and in the audit log. Repeating it returns the same
   * erasure. Scope `users:erase`.
   */
  erase(userId: string, how: UserEraseParams = {}, options?: RequestOptions): Promise<Reply<'eraseUser'>> {
    return this.#transport.call('eraseUser', { path: { userId }, body: how }, options);
  }
}
