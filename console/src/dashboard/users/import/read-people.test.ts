import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
    expect(file.nameless).toEqual([3]);
    expect(file.lines).toEqual([
      { number: 2, person: { fullName: 'Ada', externalId: 'a-1' } },
      { number: 5, person: { fullName: 'Grace' } },
    ]);
  });

  it('leaves out a line with the external ID of a line before', () => {
    const file = read('Name,External ID\nAda,a-1\nGrace,a-2\nAda again,a-1\nIda,\nEdith,\n');
    expect(file.repeated).toEqual([4]);
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
});
