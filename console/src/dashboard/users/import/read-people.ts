import Papa from 'papaparse';
import { PERSON_FIELD_NAMES, PERSON_FIELDS, type PersonField } from '../../nouns/person/person-fields';
import { FORMULA, withoutProtection } from './formulas';

export type ImportedPerson = { fullName: string } & Partial<Record<PersonField, string>>;

export interface Line {
  /** In the file, from 1, where the first is the header. */
  readonly number: number;
  readonly person: ImportedPerson;
}

/** A line of which nothing is added. */
export interface LeftOut {
  readonly number: number;
  /** Its values, as far as they have a column. */
  readonly person: Partial<ImportedPerson>;
  /** Its values beyond the last column. */
  readonly beyond?: readonly string[];
  readonly why: string;
}

export interface PeopleFile {
  readonly lines: readonly Line[];
  /** The names of columns that are not used. */
  readonly ignored: readonly string[];
  /** Lines without a name, with the external ID of a line before, or that cannot be read for certain. */
  readonly leftOut: readonly LeftOut[];
}

export type Unreadable = 'no_name_column' | 'no_people' | 'too_many' | 'broken_header';

export const MAX_LINES = 20_000;

/** How spreadsheets and other systems name the columns, without case, spaces and punctuation. */
const NAMES: Readonly<Record<PersonField, readonly string[]>> = {
  fullName: ['fullname', 'name', 'displayname', 'person'],
  email: ['email', 'mail', 'emailaddress'],
  phone: ['phone', 'phonenumber', 'telephone', 'mobile'],
  externalId: ['externalid'],
  employeeCode: ['employeecode', 'employeenumber', 'employeeid', 'personnelnumber'],
};

/** Reads comma, semicolon or tab separated text with a header. An export of the people is read as they are stored. */
export function readPeople(text: string): PeopleFile | Unreadable {
  const newline = text.includes('\n') ? '\n' : '\r';
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: delimiterOf(text), newline });
  const broken = new Set(errors.map(({ row }) => row ?? 0));
  if (broken.has(0)) return 'broken_header';
  const [header = [], ...rows] = data;
  const columns = header.map(fieldNamed);
  if (!columns.includes('fullName')) return 'no_name_column';
  const textOf = EXPORTED.every((name, at) => header[at] === name)
    ? withoutProtection
    : (cell: string) => withoutProtection(cell.trim()).trim();
  const starts = startsOf(data, newline);
  const filled = rows.flatMap((row, at) => {
    if (row.every((cell) => cell.trim() === '')) return [];
    const values = row.map(textOf);
    const fault = faultOf(row.length, header.length, broken.has(at + 1));
    return [{ number: starts[at + 1] ?? 0, person: personOf(columns, values), values, fault }];
  });
  if (filled.length === 0) return 'no_people';
  if (filled.length > MAX_LINES) return 'too_many';
  const lines: Line[] = [];
  const leftOut: LeftOut[] = [];
  const seen = new Set<string>();
  for (const { number, person, values, fault } of filled) {
    const { fullName, externalId } = person;
    const why = fault ?? (externalId !== undefined && seen.has(externalId) ? REPEATED : undefined);
    if (why === undefined && fullName !== undefined) {
      lines.push({ number, person: { ...person, fullName } });
      if (externalId !== undefined) seen.add(externalId);
    } else
      leftOut.push({ number, person, beyond: values.slice(header.length), why: why ?? 'It has no name' });
  }
  return {
    lines,
    ignored: header.filter((name, at) => columns[at] === undefined && name.trim() !== ''),
    leftOut,
  };
}

const REPEATED = 'A line before has the same external ID';

/** How the service's own exports begin. Their values are not trimmed. */
const EXPORTED = ['id', 'environment', 'fullName'];

const countOf = (fields: number) => `${fields} ${fields === 1 ? 'field' : 'fields'}`;

/** What makes a line uncertain: nobody knows which values are in a wrong column, or where its text ends. */
function faultOf(fields: number, columns: number, isBroken: boolean): string | undefined {
  if (isBroken) return 'A quotation mark is not closed, or a text goes on after it';
  return fields === columns ? undefined : `It has ${countOf(fields)}, the first line ${columns}`;
}

/** The number of the line where each row begins. A text in quotation marks can have several lines. */
function startsOf(rows: readonly (readonly string[])[], newline: string): number[] {
  let line = 1;
  return rows.map((row) => {
    const start = line;
    line += row.reduce((count, cell) => count + cell.split(newline).length - 1, 1);
    return start;
  });
}

/** The one that the first line has most of. */
function delimiterOf(table: string): string {
  const [header = ''] = table.split(/[\r\n]/, 1);
  const inHeader = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (inHeader(next) > inHeader(best) ? next : best));
}

function fieldNamed(header: string, at: number, all: readonly string[]): PersonField | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const field = PERSON_FIELD_NAMES.find((name) => NAMES[name].includes(plain(header)));
  // The first column of a name counts.
  const isFirst = field && !all.slice(0, at).some((name) => NAMES[field].includes(plain(name)));
  return isFirst ? field : undefined;
}

/** Without the fields that are empty. */
const personOf = (
  columns: readonly (PersonField | undefined)[],
  row: readonly string[],
): Partial<ImportedPerson> =>
  Object.fromEntries(
    columns.flatMap((field, at) => (field && row[at]?.trim() ? [[field, row[at]] as const] : [])),
  );

/**
 * Lines as a file that opens in Excel, and can be mended and imported again. Its first column, which an import does not use, says why
 * they were not added, so that values beyond the last column stay where they were.
 */
export const writePeople = (people: readonly Omit<LeftOut, 'number'>[]): string =>
  `\ufeff${Papa.unparse(
    [
      ['Not added because', ...PERSON_FIELD_NAMES.map((field) => PERSON_FIELDS[field].label)],
      ...people.map(({ person, beyond = [], why }) => [
        why,
        ...PERSON_FIELD_NAMES.map((field) => person[field] ?? ''),
        ...beyond,
      ]),
    ],
    { escapeFormulae: FORMULA, newline: '\r\n' },
  )}\r\n`;
