import { expect, it } from 'vitest';
import { textOf } from '../../nouns/words/pieces';
import { withoutPerson } from './without-person';

const ada = { text: 'Ada', isName: true };

it.each([
  ['Checked in at Gate', [ada, { text: ' checked in' }, { text: ' at ' }, { text: 'Gate', isName: true }]],
  ['Verified by face', [ada, { text: ' was verified by face' }]],
  ['A verification failed', [{ text: 'A verification of ' }, ada, { text: ' failed' }]],
  ['Key changed Ada', [{ text: 'Key', isName: true }, { text: ' changed ' }, ada]],
  ['Ada and 1 more were asked', [ada, { text: ' and 1 more were asked' }]],
  ['Bo checked in', [{ text: 'Bo', isName: true }, { text: ' checked in' }]],
])('does not name the person of the page again: %s', (text, pieces) => {
  expect(textOf(withoutPerson(pieces, 'Ada'))).toBe(text);
});
