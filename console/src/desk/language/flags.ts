import { FLAG_TEXTS as de } from '@svc/zk/time/flag-texts/de';
import { FLAG_TEXTS as en } from '@svc/zk/time/flag-texts/en';
import { FLAG_TEXTS as es } from '@svc/zk/time/flag-texts/es';
import { useContext } from 'react';
import type { Language } from '../../ui/choose-language';
import { LanguageContext } from './language';

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, de, es };

/** What a flag of a sheet means. A newer service may have flags that this page does not know. */
export function useFlagText(): (code: string) => string {
  const texts = TEXTS[useContext(LanguageContext)];
  return (code) => texts[code] ?? code;
}
