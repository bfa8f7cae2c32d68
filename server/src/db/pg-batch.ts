import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Row } from './db.js';
import type { Sql } from './sql.js';

/** The parts of a connection that `pg` exposes to query classes. The version of `pg` is pinned exactly. */
interface Connection {
  _send(message: Buffer): void;
  /** The texts of its prepared statements, by name. */
  readonly parsedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  describe(message: { type: 'P' }): void;
  execute(message: object): void;
  sync(): void;
  on(event: 'parseComplete', listener: () => void): void;
  off(event: 'parseComplete', listener: () => void): void;
}

interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

/** The result of a batch: the rows of each statement, or of the statements before the one that failed. */
export interface BatchResult {
  readonly rows: Row[][];
  /** The command tag of the last statement that succeeded: `COMMIT`, `INSERT 0 1`. */
  readonly command: string;
  readonly failure?: unknown;
}

type GetParser = (oid: number, format: 'text') => (text: string) => unknown;

const { Connection: PgConnection, utils } = pg as unknown as {
  readonly Connection: { readonly prototype: Connection };
  readonly utils: { prepareValue(value: unknown): unknown };
};
const { prepareValue } = utils;

/** Collects messages, which then take one write. A write for each would cost more than to make them. */
class Outbox {
  readonly #messages: Buffer[] = [];
  readonly parse = PgConnection.prototype.parse;
  readonly bind = PgConnection.prototype.bind;
  readonly describe = PgConnection.prototype.describe;
  readonly execute = PgConnection.prototype.execute;
  readonly sync = PgConnection.prototype.sync;

  _send(message: Buffer): void {
    this.#messages.push(message);
  }

  all = (): Buffer => Buffer.concat(this.#messages);
}

/** A time in a year of four digits. Others have a sign in ISO 8601, which PostgreSQL does not read. */
const isPlainTime = (value: unknown): value is Date =>
  value instanceof Date && value.getUTCFullYear() >= 1 && value.getUTCFullYear() <= 9999;
/** Converts a value as `pg` does, except for times, which `pg` formats field by field and so more slowly. */
const toParameter = (value: unknown) => (isPlainTime(value) ? value.toISOString() : prepareValue(value));

/** Each distinct text is prepared once per connection, under a name that is the same on every node. */
const names = new Map<string, string>();
function nameOf({ text }: Sql): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    names.set(text, name);
  }
  return name;
}

/** The result columns of each prepared statement, so that the server need not describe them again. */
const described = new WeakMap<Connection, Map<string, readonly Column[]>>();

/**
 * Sends several prepared statements together. `pg` itself sends a Sync after each statement, and the server then writes
 * each response with its own system call. Here one Sync ends them all: both sides write once, and statements after a
 * failure are skipped.
 */
class Batch extends pg.Query {
  /** `pg` calls it once, with the error if there was one, and wraps it in its timeout. */
  callback: (failure?: unknown) => void;
  readonly results: Row[][] = [];
  command = '';
  readonly #statements: readonly Sql[];
  readonly #getParser: GetParser;
  #columns: (readonly Column[] | undefined)[] = [];
  #row: Row[] = [];
  /** Why a row could not be read. Its statement then counts as failed, and the rest is not read. */
  #unreadable: unknown;
  #settle = (failure?: unknown) => this.callback(failure);

  /** In milliseconds. `pg` reads it. Default: that of the connection. */
  readonly query_timeout: number | undefined;

  constructor(
    statements: readonly Sql[],
    getParser: GetParser,
    timeoutMs: number | undefined,
    callback: (failure?: unknown) => void,
  ) {
    super({ text: '' });
    this.query_timeout = timeoutMs;
    this.#statements = statements;
    this.#getParser = getParser;
    this.callback = callback;
  }

  override submit = (connection: unknown): Error | null => this.#submit(connection as Connection);

  #submit(connection: Connection): Error | null {
    let values: unknown[][];
    try {
      values = this.#statements.map((statement) => statement.values.map(toParameter));
    } catch (error) {
      return error as Error;
    }
    let known = described.get(connection);
    if (known === undefined) {
      known = new Map();
      described.set(connection, known);
    }
    const columns = known;
    const parsing = new Map<string, string>();
    const outbox = new Outbox();
    this.#statements.forEach((statement, at) => {
      const name = nameOf(statement);
      if (connection.parsedStatements[name] === undefined && !parsing.has(name)) {
        parsing.set(name, statement.text);
        outbox.parse({ name, text: statement.text });
      }
      outbox.bind({ statement: name, values: values[at] as unknown[] });
      this.#columns[at] = columns.get(name);
      if (this.#columns[at] === undefined) outbox.describe({ type: 'P' });
      outbox.execute({});
    });
    outbox.sync();
    connection._send(outbox.all());

    // A statement stays prepared even if the transaction fails, and must not be prepared again.
    const unconfirmed = [...parsing];
    const onParsed = () => {
      const [name, text] = unconfirmed.shift() as [string, string];
      connection.parsedStatements[name] = text;
    };
    if (parsing.size > 0) connection.on('parseComplete', onParsed);
    this.#settle = (failure) => {
      connection.off('parseComplete', onParsed);
      this.#statements.slice(0, this.results.length).forEach((statement, at) => {
        columns.set(nameOf(statement), this.#columns[at] as readonly Column[]);
      });
      this.callback(failure);
    };
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    if (this.#unreadable !== undefined) return;
    this.#columns[this.results.length] = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.#getParser(dataTypeID, 'text'),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#unreadable !== undefined) return;
    const row: Row = {};
    try {
      (this.#columns[this.results.length] as readonly Column[]).forEach(({ name, read }, at) => {
        const text = fields[at] as string | null;
        row[name] = text === null ? null : read(text);
      });
      this.#row.push(row);
    } catch (error) {
      // Thrown here, it would end the process.
      this.#unreadable = error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.#unreadable !== undefined) return;
    this.#columns[this.results.length] ??= [];
    this.results.push(this.#row);
    this.#row = [];
    this.command = text;
  }

  handleReadyForQuery(): void {
    this.#settle(this.#unreadable);
  }

  handleError(failure: unknown): void {
    this.#settle(failure);
  }
}

/** Sends the statements in one round trip. Never throws. */
export function sendBatch(
  client: pg.ClientBase,
  statements: readonly Sql[],
  getParser: GetParser,
  timeoutMs?: number,
): Promise<BatchResult> {
  return new Promise((resolve) => {
    const batch = new Batch(statements, getParser, timeoutMs, (failure) => {
      const { results: rows, command } = batch;
      resolve(failure === undefined || failure === null ? { rows, command } : { rows, command, failure });
    });
    client.query(batch);
  });
}
