import Papa from 'papaparse';

/** The fields of a person that a file can have, in the order of the API. */
export const FIELDS = ['fullName', 'email', 'phone', 'externalId', 'employeeCode'] as const;
export type Field = (typeof FIELDS)[number];
export type ImportedPerson = { fullName: string } & Partial<Record<Field, string>>;

export const LABELS: Readonly<Record<Field, string>> = {
  fullName: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  externalId: 'External ID',
  employeeCode: 'Employee code',
};

export interface Line {
  /** In the file, from 1, where the first is the header. */
  readonly number: number;
  readonly person: ImportedPerson;
}

export interface PeopleFile {
  readonly lines: readonly Line[];
  /** The names of columns that are not used. */
  readonly ignored: readonly string[];
  /** Lines without a name. */
  readonly nameless: readonly number[];
  /** Lines with the external ID of a line before. */
  readonly repeated: readonly number[];
}

export type Unreadable = 'no_name_column' | 'no_people' | 'too_many';

export const MAX_LINES = 20_000;

/** How spreadsheets and other systems name the columns, without case, spaces and punctuation. */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  fullName: ['fullname', 'name', 'displayname', 'person'],
  email: ['email', 'mail', 'emailaddress'],
  phone: ['phone', 'phonenumber', 'telephone', 'mobile'],
  externalId: ['externalid'],
  employeeCode: ['employeecode', 'employeenumber', 'employeeid', 'personnelnumber'],
};

/** Reads comma, semicolon or tab separated text with a header. An export of the people can be read again. */
export function readPeople(text: string): PeopleFile | Unreadable {
  const table = text.replace(/^\uFEFF/, '');
  const { data } = Papa.parse<string[]>(table, { delimiter: delimiterOf(table) });
  const [header = [], ...rows] = data;
  const columns = header.map(fieldNamed);
  if (!columns.includes('fullName')) return 'no_name_column';
  const lines = rows
    .map((row, at) => ({ number: at + 2, row: row.map((value) => value.trim()) }))
    .filter(({ row }) => row.some((value) => value !== ''));
  if (lines.length === 0) return 'no_people';
  if (lines.length > MAX_LINES) return 'too_many';
  const read = lines.map(({ number, row }) => ({ number, person: personOf(columns, row) }));
  const named = read.filter(hasName);
  const repeated = new Set(repeatedOf(named));
  return {
    lines: named.filter((line) => !repeated.has(line)),
    ignored: header.filter((name, at) => columns[at] === undefined && name.trim() !== ''),
    nameless: read.filter((line) => !hasName(line)).map(({ number }) => number),
    repeated: [...repeated].map(({ number }) => number),
  };
}

/** Lines with the external ID of a line before. */
function repeatedOf(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  return lines.filter(({ person: { externalId } }) => {
    if (externalId === undefined) return false;
    if (seen.has(externalId)) return true;
    seen.add(externalId);
    return false;
  });
}

/** The one that the first line has most of. */
function delimiterOf(table: string): string {
  const [header = ''] = table.split(/[\r\n]/, 1);
  const inHeader = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (inHeader(next) > inHeader(best) ? next : best));
}

const hasName = (line: { readonly number: number; readonly person: Partial<ImportedPerson> }): line is Line =>
  line.person.fullName !== undefined;

function fieldNamed(header: string, at: number, all: readonly string[]): Field | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const field = FIELDS.find((name) => NAMES[name].includes(plain(header)));
  // The first column of a name counts.
  const isFirst = field && !all.slice(0, at).some((name) => NAMES[field].includes(plain(name)));
  return isFirst ? field : undefined;
}

/** Without the fields that are empty. */
const personOf = (columns: readonly (Field | undefined)[], row: readonly string[]): Partial<ImportedPerson> =>
  Object.fromEntries(columns.flatMap((field, at) => (field && row[at] ? [[field, row[at]] as const] : [])));

/** People as a file that can be mended and imported again. Its last column, which an import does not use, says why they were not added. */
export const writePeople = (
  people: readonly { readonly person: ImportedPerson; readonly why: string }[],
): string =>
  `${Papa.unparse({
    fields: [...FIELDS.map((field) => LABELS[field]), 'Not added because'],
    data: people.map(({ person, why }) => [...FIELDS.map((field) => person[field] ?? ''), why]),
  })}\r\n`;
