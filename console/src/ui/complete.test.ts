import { FLAG_TEXTS as flagsDe } from '@svc/zk/time/flag-texts/de';
import { FLAG_TEXTS as flagsEn } from '@svc/zk/time/flag-texts/en';
import { FLAG_TEXTS as flagsEs } from '@svc/zk/time/flag-texts/es';
import { isValidElement, type ReactNode } from 'react';
import { describe, expect, test } from 'vitest';
import { de as inspectionsDe } from '../dashboard/time/inspections/language/de';
import { en as inspectionsEn } from '../dashboard/time/inspections/language/en';
import { es as inspectionsEs } from '../dashboard/time/inspections/language/es';
import { errors as errorsDe, de as roomDe } from '../dashboard/time/language/de';
import { en as roomEn } from '../dashboard/time/language/en';
import { errors as errorsEs, es as roomEs } from '../dashboard/time/language/es';
import { de as deskDe } from '../desk/language/de';
import { de as clockDe } from '../desk/language/de-clock';
import { de as deskPhoneDe } from '../desk/language/de-phone';
import { de as staffDe } from '../desk/language/de-staff';
import { en as deskEn } from '../desk/language/en';
import { en as clockEn } from '../desk/language/en-clock';
import { en as deskPhoneEn } from '../desk/language/en-phone';
import { en as staffEn } from '../desk/language/en-staff';
import { es as deskEs } from '../desk/language/es';
import { es as clockEs } from '../desk/language/es-clock';
import { es as deskPhoneEs } from '../desk/language/es-phone';
import { es as staffEs } from '../desk/language/es-staff';
import { de as inspectionDe } from '../inspection/language/de';
import { en as inspectionEn } from '../inspection/language/en';
import { es as inspectionEs } from '../inspection/language/es';
import { de as phoneDe } from '../phone/language/de';
import { deTime } from '../phone/language/de-time';
import { en as phoneEn } from '../phone/language/en';
import { enTime } from '../phone/language/en-time';
import { es as phoneEs } from '../phone/language/es';
import { esTime } from '../phone/language/es-time';
import { de as signInDe } from '../sign-in/language/de';
import { en as signInEn } from '../sign-in/language/en';
import { es as signInEs } from '../sign-in/language/es';

/** The same in several languages, or names. */
const SAME = new Set([
  ...['1', '1, 2', '1 (2)', 'SHA-256', 'test', 'Test', 'live', 'Live', 'Details', 'Code', 'Name'],
  ...['Person', 'Total', 'CSV', 'Link', 'Excel', 'Excel (XLSX)'],
]);

type Texts = { readonly [name: string]: unknown };

/** Every text of a language by its path. A function is called with its parameters’ numbers. */
function textsOf(texts: Texts, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(texts)) {
    const here = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') found.set(here, value);
    else if (typeof value === 'function')
      found.set(here, read(value(...Array.from({ length: value.length }, (_, at) => at + 1))));
    else if (typeof value === 'object' && value !== null)
      for (const [below, text] of textsOf(value as Texts, here)) found.set(below, text);
  }
  return found;
}

function read(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(read).join('');
  if (isValidElement<{ readonly children?: ReactNode }>(node)) return read(node.props.children);
  return node === undefined || node === null || typeof node === 'boolean' ? '' : String(node);
}

const english = textsOf({
  phone: phoneEn,
  time: enTime,
  desk: deskEn,
  deskPhone: deskPhoneEn,
  staff: staffEn,
  clock: clockEn,
  inspection: inspectionEn,
  inspections: inspectionsEn,
  signIn: signInEn,
  room: roomEn,
  flags: flagsEn,
});

describe.each([
  [
    'German',
    {
      phone: phoneDe,
      time: deTime,
      deskPhone: deskPhoneDe,
      flags: flagsDe,
      desk: deskDe,
      staff: staffDe,
      clock: clockDe,
      inspection: inspectionDe,
      inspections: inspectionsDe,
      signIn: signInDe,
      room: roomDe,
    },
  ],
  [
    'Spanish',
    {
      phone: phoneEs,
      time: esTime,
      deskPhone: deskPhoneEs,
      flags: flagsEs,
      desk: deskEs,
      staff: staffEs,
      clock: clockEs,
      inspection: inspectionEs,
      inspections: inspectionsEs,
      signIn: signInEs,
      room: roomEs,
    },
  ],
])('the %s texts', (_, texts) => {
  const others = textsOf(texts);

  test('are all there, are others than the English ones, and are not empty', () => {
    expect([...others.keys()].sort()).toEqual([...english.keys()].sort());
    expect(english.size).toBeGreaterThan(500);
    for (const [path, text] of english) {
      expect(text.trim(), path).not.toBe('');
      expect(others.get(path)?.trim(), path).not.toBe('');
      if (!SAME.has(text)) expect.soft(others.get(path), path).not.toBe(text);
    }
  });

  test('lose no value', () => {
    for (const [path, text] of english)
      expect.soft((others.get(path) ?? '').match(/\d+/g)?.sort(), path).toEqual(text.match(/\d+/g)?.sort());
  });
});

test('the room’s errors have the same codes in each language that has them', () => {
  const [german, spanish] = [textsOf({ errors: errorsDe }), textsOf({ errors: errorsEs })];
  expect([...spanish.keys()].sort()).toEqual([...german.keys()].sort());
  for (const [path, text] of german) expect.soft(spanish.get(path), path).not.toBe(text);
});
