import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import { join, type Query, type Sql, sql } from '../db/sql.js';
import { Nullable } from './schema.js';

/** One column of a record. Its key in the `columns` object is the field's name in JSON. */
export interface Column {
  /** The name in the database. */
  readonly column: string;
  /** What a caller may send. Responses have the same schema without the limits of text. */
  readonly schema: TSchema;
  /** The PostgreSQL type, for values that need converting: JSON, ISO 8601 timestamps, UUIDs (lower case). */
  readonly type?: 'json' | 'timestamptz' | 'uuid';
  readonly nullable?: true;
  /** Whether a caller sets it when creating the record. Default: only the server does. */
  readonly create?: 'required' | 'optional';
  /** Whether a caller may change it. Null clears a nullable column. */
  readonly update?: true;
}

export type Columns = Readonly<Record<string, Column>>;

/** A column that a caller may set, change and clear. */
export const optional = { nullable: true, create: 'optional', update: true } as const;

/** A column that a caller may set when creating the record, and never change. */
export const createOnly = { nullable: true, create: 'optional' } as const;

type OrNull<C extends Column, T> = C extends { nullable: true } ? T | null : T;
type Stored<C extends Column> = C extends { type: 'timestamptz' } ? Date : Static<C['schema']>;

/** A record as the database returns it. */
export type Row<C extends Columns> = {
  -readonly [K in keyof C as C[K]['column']]: OrNull<C[K], Stored<C[K]>>;
};

/** The columns of a record that a caller may change, by their names in the database. */
export type Changes<C extends Columns> = {
  -readonly [K in keyof C as C[K] extends { update: true } ? C[K]['column'] : never]?:
    | OrNull<C[K], Stored<C[K]>>
    | undefined;
};

/** The values of a new row. An `Expression` may stand for a value. */
export type NewRow<C extends Columns, Expression = never> = {
  readonly [K in keyof C as C[K] extends { nullable: true } ? never : C[K]['column']]:
    | Stored<C[K]>
    | Expression;
} & {
  readonly [K in keyof C as C[K] extends { nullable: true } ? C[K]['column'] : never]?:
    | Stored<C[K]>
    | Expression
    | null
    | undefined;
};

/** Fields of a request by their names in the database, converted. */
type FromWire<C extends Columns, Input> = {
  -readonly [K in keyof Input as K extends keyof C ? C[K]['column'] : never]: K extends keyof C
    ? C[K] extends { type: 'timestamptz' }
      ? Date | Extract<Input[K], null>
      : Input[K]
    : never;
};

/** A record in a reply. */
type Wire<C extends Columns> = { -readonly [K in keyof C]: OrNull<C[K], Static<C[K]['schema']>> };

type ReplyFields<C extends Columns> = {
  -readonly [K in keyof C]: TUnsafe<OrNull<C[K], Static<C[K]['schema']>>>;
};
type CreateFields<C extends Columns> = {
  -readonly [K in keyof C as C[K] extends { create: string } ? K : never]: C[K] extends { create: 'required' }
    ? C[K]['schema']
    : TOptional<C[K]['schema']>;
};
type UpdateFields<C extends Columns> = {
  -readonly [K in keyof C as C[K] extends { update: true } ? K : never]: TOptional<
    TUnsafe<OrNull<C[K], Static<C[K]['schema']>>>
  >;
};

type Values = Readonly<Record<string, unknown>>;

/** Removes length and pattern limits: in a response, the same field may be any string. */
function shownAs(schema: TSchema): TSchema {
  const { minLength, maxLength, pattern, description, ...rest } = schema as Record<string, unknown>;
  return maxLength === undefined ? schema : Type.Unsafe(rest);
}

function fieldsOf(columns: Columns, schemaOf: (column: Column) => TSchema | undefined): unknown {
  const fields = Object.entries(columns).map(([name, column]) => [name, schemaOf(column)]);
  return Object.fromEntries(fields.filter(([, schema]) => schema !== undefined));
}

const nullableSchema = ({ nullable }: Column, schema: TSchema) => (nullable ? Nullable(schema) : schema);

/** The fields of the record in responses. */
export const replyFields = <C extends Columns>(columns: C) =>
  fieldsOf(columns, (column) => nullableSchema(column, shownAs(column.schema))) as ReplyFields<C>;

/** The fields of the body that creates a record. */
export const createFields = <C extends Columns>(columns: C) =>
  fieldsOf(columns, ({ create, schema }) =>
    create === 'optional' ? Type.Optional(schema) : create && schema,
  ) as CreateFields<C>;

/** The fields of the body that changes a record. */
export const updateFields = <C extends Columns>(columns: C) =>
  fieldsOf(
    columns,
    (column) => column.update && Type.Optional(nullableSchema(column, column.schema)),
  ) as UpdateFields<C>;

/** A template for `sql`: its text is composed once, and each use only binds values. */
const template = (parts: readonly string[]) => Object.assign([...parts], { raw: parts });

const decode = (type: Column['type'], value: unknown): unknown => {
  if (type === undefined || typeof value !== 'string') return value;
  return type === 'timestamptz' ? new Date(value) : value.toLowerCase();
};

const encode = (type: Column['type'], value: unknown): unknown =>
  value && type === 'json' ? JSON.stringify(value) : (value ?? null);

/** A column as JSON shows it: times in ISO 8601, in UTC and with milliseconds. */
const shownColumn = (column: string, type: Column['type']): string =>
  type === 'timestamptz' ? `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : column;

/** The SQL fragments and serialization of a record. The SQL text is built once, so that prepared statements are reused. */
export function record<C extends Columns>(columns: C) {
  const fields = Object.entries<Column>(columns).map(([name, { column, type }]) => {
    const cast = type ? `::${type}` : '';
    return { name, column, type, cast, assignment: template([`${column} = `, cast]) };
  });
  const texts = fields.map(({ cast }, at) => (at < fields.length - 1 ? `${cast}, ` : cast));
  const values = template(['', ...texts]);
  const empty = Object.fromEntries(fields.map(({ column }) => [column, null]));
  const cleared = Object.values<Column>(columns).filter(({ nullable, update }) => nullable && update);
  const shown = sql(
    template([
      fields.map(({ name, column, type }) => `${shownColumn(column, type)} as "${name}"`).join(', '),
    ]),
  );

  /** Fields of a request as columns. Fields that were not sent are left out. */
  function fromWire<Input extends object>(input: Input): FromWire<C, Input> {
    const sent = input as Values;
    const row: Record<string, unknown> = {};
    for (const { name, column, type } of fields) {
      const value = sent[name];
      if (value !== undefined) row[column] = decode(type, value);
    }
    return row as FromWire<C, Input>;
  }

  return {
    /** The columns, for `select`, `insert into` and `returning`. */
    list: sql(template([fields.map(({ column }) => column).join(', ')])),

    /** The values of a new row, in the order of `list`. */
    values(row: NewRow<C, Sql>): Sql {
      const given = row as Values;
      return sql(values, ...fields.map(({ column, type }) => encode(type, given[column])));
    },

    /** `column = value` for each column that is not undefined. */
    assignments(changes: Changes<C>): Sql {
      const given = changes as Values;
      const changed = fields.filter(({ column }) => given[column] !== undefined);
      return join(
        changed.map(({ column, type, assignment }) => sql(assignment, encode(type, given[column]))),
        ', ',
      );
    },

    /** `column = null` for each column that a caller may clear. */
    cleared: sql(template([cleared.map(({ column }) => `${column} = null`).join(', ')])),

    /** A new row as the database would return it, for inserts that don't read it back. */
    row: (row: NewRow<C>) => ({ ...empty, ...(row as Values) }) as Row<C>,

    fromWire,

    /**
     * The rows of a query as `serialize` writes them, each one text of JSON. PostgreSQL writes it in a quarter of the time that Node needs
     * to read the columns, convert them and write the same.
     */
    asJson: (rows: Query): Query =>
      sql.query`select row_to_json(shown)::text as json from (select ${shown} from (${rows}) as page) as shown`,

    /** A row from such a text. */
    fromJson: (text: string): Row<C> => fromWire(JSON.parse(text) as Wire<C>) as unknown as Row<C>,

    /** Serializes a row for responses. */
    serialize(row: Row<C>): Wire<C> {
      const stored = row as Values;
      const wire: Record<string, unknown> = {};
      for (const { name, column, type } of fields) {
        const value = stored[column];
        wire[name] = type === 'timestamptz' && value ? (value as Date).toISOString() : value;
      }
      return wire as Wire<C>;
    },
  };
}
