import { expect, test } from 'vitest';
import { chooseLanguage } from './choose-language';

test.each([
  [['de-CH', 'en'], 'de', 'de-CH'],
  [['fr-FR', 'en-GB', 'de'], 'en', 'en-GB'],
  [['DE'], 'de', 'DE'],
  [['es-MX', 'en-US'], 'es', 'es-MX'],
  [['ca-ES', 'es-ES'], 'es', 'es-ES'],
  [['den', 'fr'], 'en', 'en'],
  [[], 'en', 'en'],
] as const)('%j chooses %s with the dates of %s', (preferred, language, locale) => {
  expect(chooseLanguage(preferred)).toEqual({ language, locale });
});
