import type { CellObject, Column } from 'write-excel-file/node';
import type { PersonSheet } from '../people.js';
import { textCell } from './cells.js';

type Person = Pick<PersonSheet, 'name' | 'employeeCode'>;

/** A row about a person. */
export type OfPerson<Row> = Row & Person;

/** The width in characters, and the cell of a row. */
type Spec<Row> = readonly [width: number, cell: (row: Row) => CellObject | undefined];

/** Columns in the order of their names, which are the header. */
export const columnsOf = <Name extends string, Row>(
  names: readonly Name[],
  specs: Readonly<Record<Name, Spec<Row>>>,
): Column<Row>[] =>
  names.map((name) => {
    const [width, cell] = specs[name];
    return { width, cell, header: { value: name, type: String, fontWeight: 'bold' } };
  });

export const PERSON_COLUMNS = {
  employeeCode: [
    16,
    ({ employeeCode }: Person) => (employeeCode === null ? undefined : textCell(employeeCode)),
  ],
  name: [28, ({ name }: Person) => textCell(name)],
} as const;
