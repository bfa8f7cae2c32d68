import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BYTE_ORDER_MARK, csvRow } from '../../../../../server/src/records/csv';
import { decode } from './decode';
import { type ImportedPerson, MAX_LINES, type PeopleFile, readPeople, writePeople } from './read-people';

const read = (text: string): PeopleFile => {
  const file = readPeople(text);
  if (typeof file === 'string') throw new Error(file);
  return file;
};

describe('a file of people', () => {
  it('has one person a line, whatever the spreadsheet separates and ends it with', () => {
    for (const text of [
      '\uFEFFFull name;E-Mail\r\nAda Lovelace;ada@example.com\r\n',
      'Full Name,email\nAda Lovelace,ada@example.com',
      'FULL_NAME\tE-mail address\nAda Lovelace\tada@example.com\n\n',
    ])
      expect(read(text).lines).toEqual([
        { number: 2, person: { fullName: 'Ada Lovelace', email: 'ada@example.com' } },
      ]);
  });

  it('tells which columns are not used, and which lines have no name', () => {
    const file = read('Name,Badge,Name,External ID\nAda,7,Countess,a-1\n,8,,a-2\n\nGrace,9,,\n');
    expect(file.ignored).toEqual(['Badge', 'Name']);
    expect(file.leftOut).toMatchObject([{ number: 3, why: 'It has no name' }]);
    expect(file.lines).toEqual([
      { number: 2, person: { fullName: 'Ada', externalId: 'a-1' } },
      { number: 5, person: { fullName: 'Grace' } },
    ]);
  });

  it('leaves out a line with the external ID of a line before', () => {
    const file = read('Name,External ID\nAda,a-1\nGrace,a-2\nAda again,a-1\nIda,\nEdith,\n');
    expect(file.leftOut).toMatchObject([{ number: 4, why: 'A line before has the same external ID' }]);
    expect(file.lines.map(({ number }) => number)).toEqual([2, 3, 5, 6]);
  });

  it('is not read without a column of names, without people, or with too many', () => {
    expect(readPeople('E-mail\nada@example.com')).toBe('no_name_column');
    expect(readPeople('')).toBe('no_name_column');
    expect(readPeople('Name\n\n ,\n')).toBe('no_people');
    expect(readPeople(`Name\n${'Ada\n'.repeat(MAX_LINES + 1)}`)).toBe('too_many');
  });

  it('is read as it was written, for any people', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((text) => text.trim())
      .filter((text) => text !== '');
    const person = fc.record(
      { fullName: value, email: value, phone: value, externalId: value, employeeCode: value },
      { requiredKeys: ['fullName'] },
    );
    // A repeated external ID is left out.
    const unique = {
      minLength: 1,
      maxLength: 20,
      selector: ({ externalId }: Partial<ImportedPerson>) => externalId ?? Symbol('none'),
    };
    fc.assert(
      fc.property(fc.uniqueArray(person, unique), (people) => {
        const rows = people.map((given) => ({ person: given as ImportedPerson, why: 'Not sent' }));
        expect(read(writePeople(rows)).lines.map((line) => line.person)).toEqual(people);
      }),
    );
  });

  it('names each line with too many or too few fields, and adds nothing of it [users/import-and-export]', () => {
    const file = read(
      'Name,E-mail,External ID\nGrace,g@x,1\nLovelace, Ada,ada@x,7\n"Ida\nRhodes",i@x,2\nEdith,e@x\n',
    );
    expect(file.lines).toEqual([
      { number: 2, person: { fullName: 'Grace', email: 'g@x', externalId: '1' } },
      { number: 4, person: { fullName: 'Ida\nRhodes', email: 'i@x', externalId: '2' } },
    ]);
    expect(file.leftOut.map(({ number, why }) => [number, why])).toEqual([
      [3, 'It has 4 fields, the first line 3'],
      [6, 'It has 2 fields, the first line 3'],
    ]);
    const again = writePeople(file.leftOut);
    // Every value is still where a spreadsheet shows it. Values beyond the columns stay a fault until somebody has mended the line.
    expect(again).toContain(',Lovelace,Ada,,ada@x,,7\r\n');
    expect(read(again).leftOut.map(({ number }) => number)).toEqual([2]);
    expect(read(again.replace('Lovelace,Ada,,ada@x,,7', 'Ada Lovelace,ada@x,,7,')).lines[0]?.person).toEqual({
      fullName: 'Ada Lovelace',
      email: 'ada@x',
      externalId: '7',
    });
  });

  it('names the line where a quotation mark is not closed or a text goes on after it, and adds nothing of it [users/import-and-export]', () => {
    const WHY = 'A quotation mark is not closed, or a text goes on after it';
    for (const [text, names, faults] of [
      ['Name,E-mail\nGrace,g@x\n"Ada,a@x\nIda,i@x\n', ['Grace'], [3]],
      ['Name,E-mail\nGrace,g@x\n"Ada" L,a@x\nIda,i@x\n', ['Grace'], [3]],
      ['Name,E-mail\n"Ada" L",a@x\nIda,i@x\n', ['Ida'], [2]],
    ] as const) {
      const file = read(text);
      expect(
        file.lines.map(({ person }) => person.fullName),
        text,
      ).toEqual(names);
      expect(file.leftOut.map(({ number, why }) => [number, why])).toEqual(faults.map((line) => [line, WHY]));
    }
    expect(readPeople('"Name,E-mail\nAda,a@x\n')).toBe('broken_header');
  });

  it('of those not added opens in Excel: byte order mark, CRLF and no formula [users/import-and-export]', () => {
    const text = writePeople([
      { person: { fullName: '=1+1', phone: '+41 44', email: "'-x" }, why: 'Not sent' },
    ]);
    expect(text).toBe(
      '\ufeffNot added because,Full name,E-mail,Phone,External ID,Employee code\r\nNot sent,"\'=1+1","\'\'-x","\'+41 44",,\r\n',
    );
    expect(read(text).lines[0]?.person).toEqual({ fullName: '=1+1', phone: '+41 44', email: "'-x" });
  });
});

/** The columns of the export that an import reads, between others. */
const EXPORTED = [
  'id',
  'environment',
  'fullName',
  'externalId',
  'email',
  'phone',
  'employeeCode',
  'metadata',
  'deviceName',
];

describe('the export of the service', () => {
  it('is imported with exactly the values that were exported [users/import-and-export] [GET /v1/users/export]', () => {
    const piece = fc.constantFrom(...`'"=+-@,;|. \t\r\n\ufeff\u00a0\uff1d`, 'a', 'É', '🙂', '7');
    const value = fc
      .oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: piece, minLength: 1 }))
      .filter((text) => /\S/.test(text) && !text.includes('\0'));
    const nullable = fc.option(value);
    const row = fc.record({
      id: fc.uuid(),
      environment: fc.constantFrom('live', 'test'),
      fullName: value,
      externalId: nullable,
      email: nullable,
      phone: nullable,
      employeeCode: nullable,
      metadata: fc.option(fc.dictionary(fc.string(), fc.string())),
      deviceName: nullable,
    });
    const unique = {
      minLength: 1,
      maxLength: 5,
      selector: (of: { externalId: string | null }) => of.externalId ?? Symbol(),
    };
    fc.assert(
      fc.property(fc.uniqueArray(row, unique), (rows) => {
        const lines = rows.map((of) => csvRow(EXPORTED.map((name) => of[name as keyof typeof of])));
        const bytes = new TextEncoder().encode([BYTE_ORDER_MARK, csvRow(EXPORTED), ...lines].join(''));
        const file = read(decode(bytes)?.text ?? '');
        expect(file.leftOut).toEqual([]);
        expect(file.lines.map(({ person }) => person)).toEqual(
          rows.map(({ fullName, externalId, email, phone, employeeCode }) =>
            Object.fromEntries(
              Object.entries({ fullName, email, phone, externalId, employeeCode }).filter(
                ([, of]) => of !== null,
              ),
            ),
          ),
        );
      }),
      { numRuns: 1000 },
    );
  });
});
