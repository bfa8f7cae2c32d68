// Files of a month that a checker must find wrong: what somebody can do to a file, without the key of the service or with it.
import { createKeyring } from '../../../server/dist/base/crypto/keyring.js';
import { idOf, signed } from './scene.mjs';

/** @typedef {(lines: any[]) => unknown} Edit */

export const CLOSED = 'a month that was closed, with an event that came after';
export const OPEN = 'a month that is not closed, and a tree that was kept within it';
export const OTHER = '1'.repeat(64);

/** A different digit at the end of a text. */
export const altered = (/** @type {string} */ text) => text.slice(0, -1) + (text.at(-1) === '0' ? '1' : '0');

/** What somebody can do who has only the file, without a key or with their own. */
export function changedFiles({ hours, sizes }, good) {
  const { lines } = good[CLOSED];
  const raw = replacedIn(good);
  const named = (/** @type {any} */ options, /** @type {string} */ code, of = CLOSED) => ({
    ...good[of],
    ...{ codes: [code], options },
  });
  const cut = (/** @type {string} */ code, /** @type {Edit} */ edit) => {
    const copy = structuredClone(lines);
    edit(copy);
    return { ...good[CLOSED], codes: [code], lines: copy };
  };
  const { keys } = hours;
  const { head } = good[CLOSED].options;
  const { signature } = lines.at(-1).end;
  const other = createKeyring('another secret, of somebody who only has the file').current;
  return {
    ...misspelledFiles(raw),
    'a file without its end': cut('incomplete', (copy) => copy.pop()),
    'a file that was cut off in its last line': raw('incomplete', `${signature}"}}\n`, signature),
    'a line after the end': cut('malformed', (copy) => copy.push(copy.at(-2))),
    'another name': raw('altered', 'Ada Lovelace', 'Ada Byron'),
    'another letter of a signature': cut('altered', (copy) => {
      copy.at(-1).end.signature = altered(copy.at(-1).end.signature);
    }),
    'a line less': cut('altered', (copy) => copy.splice(-2, 1)),
    'a file that somebody signed with a key of their own': {
      ...good[OPEN],
      codes: ['key_unknown'],
      lines: signed(good[OPEN].lines.slice(0, -1), other),
    },
    'a file that somebody signed with a key of their own, under the name of another': {
      ...good[OPEN],
      codes: ['key_unknown'],
      lines: signed(good[OPEN].lines.slice(0, -1), { ...other, kid: keys.kid }),
    },
    'no key named': named({ keys: { other: OTHER } }, 'key_unknown'),
    'another key named': named({ keys: { [keys.kid]: OTHER } }, 'key_unknown'),
    'a head with another key than the one that is named': named(
      { head, keys: { [keys.kid]: OTHER } },
      'key_unknown',
    ),
    'a tree that was kept, whose signature is wrong': named(
      { head: { ...head, signature: altered(head.signature) } },
      'signature_wrong',
    ),
    'a head of another account': named(
      { head: { ...hours.head(sizes.closed), tenantId: idOf('another') } },
      'kept_head_differs',
    ),
    'development keys': named({ head, allowDevelopmentKeys: false }, 'setup_forgeable'),
    'a tree that is newer than the file': {
      ...good[OPEN],
      codes: ['kept_head_differs'],
      options: { head },
    },
    'a tree that was kept, and no proof of consistency': {
      ...good['nothing that was kept'],
      ...{ of: 'nothing that was kept', codes: ['kept_head_differs'] },
      options: good['a month that is not closed, and a tree that was kept before it'].options,
    },
  };
}

/** A closed month with a text in place of another. */
const replacedIn =
  (/** @type {any} */ good) =>
  (/** @type {string} */ code, /** @type {string} */ from, /** @type {string} */ to) => ({
    ...good[CLOSED],
    ...{ codes: [code], replace: [from, to] },
  });

/** What no program that keeps to the format writes. */
function misspelledFiles(/** @type {ReturnType<typeof replacedIn>} */ raw) {
  return {
    'a byte order mark': raw('malformed', '{"format"', '\ufeff{"format"'),
    'lines that end with CR LF': raw('malformed', '\n', '\r\n'),
    'white space': raw('malformed', '"first":', '"first": '),
    'a key twice': raw('malformed', '"first":6', '"first":6,"first":6'),
    'a key twice, with another value before': raw('malformed', '"first":6', '"first":1,"first":6'),
    'a number with a fraction of zero': raw('malformed', '"first":6', '"first":6.0'),
    'a number with an exponent': raw('malformed', '"first":6', '"first":6e0'),
    'a number below zero': raw('malformed', '"first":6', '"first":-6'),
    'zero below zero': raw('malformed', '"contributors":1', '"contributors":-0'),
    'a number that is larger than a double holds': raw('malformed', '"first":6', '"first":9007199254740993'),
    'a number with a zero before it': raw('malformed', '"first":6', '"first":06'),
    'a number that is none': raw('malformed', '"first":6', '"first":NaN'),
    'a fraction where an integer belongs': raw('malformed', '"first":6', '"first":6.5'),
    'another spelling of a letter': raw('malformed', '"live"', '"l\\u0069ve"'),
    'another spelling of a slash': raw('malformed', 'https://', 'https:\\/\\/'),
    'keys in another order than that of JSON.stringify': raw(
      'malformed',
      '{"format"',
      '{"b":1,"1":2,"format"',
    ),
    'half of a surrogate pair': raw('malformed', '"month":"2026-03"', '"month":"\\ud83d"'),
    'nesting of 33 levels': raw('malformed', '"first":6', `"first":${'['.repeat(32)}${']'.repeat(32)}`),
    'a control character': raw('malformed', '"live"', '"li\tve"'),
    'no JSON': raw('malformed', '"live"', "'live'"),
    'a list': raw('malformed', '{"format"', '[1]\n{"format"'),
    'an empty line': raw('malformed', '\n', '\n\n'),
    'another format': raw('malformed', 'svc-hours-1', 'svc-hours-2'),
    'a zone that there is not': raw('malformed', 'Europe/Berlin', 'Europe/Berlyn'),
    'a zone without a name': raw('malformed', '"timeZone":"Europe/Berlin"', '"timeZone":"+01:00"'),
    'a month that there is not': raw('malformed', '"month":"2026-03"', '"month":"2026-13"'),
    'a field that is none': raw('malformed', '"first":6', '"first":6,"last":31'),
    'a line of another kind': raw('malformed', '\n', '\n{"other":1}\n'),
    'a line whose kind is the name of a method': raw('malformed', '\n', '\n{"constructor":1}\n'),
  };
}
