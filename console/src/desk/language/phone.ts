import { useContext } from 'react';
import type { Language } from '../../ui/choose-language';
import { de } from './de-phone';
import { en, type PhoneStrings } from './en-phone';
import { es } from './es-phone';
import { LanguageContext } from './language';

const STRINGS: Readonly<Record<Language, PhoneStrings>> = { en, de, es };

/** Apart from the other texts, because the desk starts sooner without them. */
export const usePhoneTexts = (): PhoneStrings => STRINGS[useContext(LanguageContext)];
