import { useContext } from 'react';
import type { Language } from '../../ui/choose-language';
import { de } from './de-staff';
import { en, type StaffStrings } from './en-staff';
import { LanguageContext } from './language';

const STRINGS: Readonly<Record<Language, StaffStrings>> = { en, de };

/** Apart from the other texts, because the desk starts sooner without them. */
export const useStaffTexts = (): StaffStrings => STRINGS[useContext(LanguageContext)];
