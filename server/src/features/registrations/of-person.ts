import { type Sql, sql } from '../../db/sql.js';
import { canonical } from '../../records/canonical.js';

/** Whose registrations. */
export interface Person {
  readonly userId: string;
  readonly externalId: string | null;
}

/** The rows of `table` that are registrations of a person, and those with the person's externalId that never had a user. */
export const ofPerson = (table: Sql, { userId, externalId }: Person): Sql =>
  externalId === null
    ? sql`${table}.user_id = ${userId}`
    : sql`(${table}.user_id = ${userId} or ${table}.user_id is null and ${table}.profile is not null
        and ${canonical(sql`${table}.profile ->> 'externalId'`)} = ${canonical(sql`${externalId}::text`)})`;
