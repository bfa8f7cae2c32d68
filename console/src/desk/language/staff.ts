import { useContext } from 'react';
import type { Language } from '../../ui/choose-language';
import { de } from './de-staff';
import { en, type StaffStrings } from './en-staff';
import { es } from './es-staff';
import { LanguageContext } from './language';

const STRINGS: Readonly<Record<Language, StaffStrings>> = { en, de, es };

/** Apart from the other texts, because the desk starts sooner without them. */
export const useStaffTexts = (): StaffStrings => STRINGS[useContext(LanguageContext)];
