import { useContext } from 'react';
import type { Language } from '../../ui/choose-language';
import { de } from './de-clock';
import { type ClockStrings, en } from './en-clock';
import { es } from './es-clock';
import { LanguageContext } from './language';

const STRINGS: Readonly<Record<Language, ClockStrings>> = { en, de, es };

/** Apart from the other texts, because the desk starts sooner without them. */
export const useClockTexts = (): ClockStrings => STRINGS[useContext(LanguageContext)];
