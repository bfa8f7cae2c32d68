import { isSvcError } from '@svc/sdk';
import { deTime } from '../language/de-time';
import { enTime, type TimeTexts } from '../language/en-time';
import { esTime } from '../language/es-time';
import { PhoneError } from '../language/messages';
import { language } from '../language/strings';

/** The texts of working time in the person's language. They are loaded with the screens that need them. */
export const tt: TimeTexts = { en: enTime, de: deTime, es: esTime }[language];

/** An error with the message of these texts, if they have one for it. */
export function inWords(error: unknown): unknown {
  const texts: Readonly<Record<string, string>> = tt.errors;
  const text = isSvcError(error) ? texts[error.code] : undefined;
  return text === undefined || error instanceof PhoneError
    ? error
    : new PhoneError((error as PhoneError).code, text, { ...(error as PhoneError), cause: error });
}
