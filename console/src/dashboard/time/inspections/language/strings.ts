import type { Language } from '../../../../ui/choose-language';
import { language } from '../../language/strings';
import type { InspectionTexts } from './en';

const LOAD: Readonly<Record<Language, () => Promise<InspectionTexts>>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  es: async () => (await import('./es')).es,
};

/** The texts of inspections in the reader’s language. Only functions can read them, because they are set when the panel opens. */
export let t: InspectionTexts;

export async function loadTexts(): Promise<void> {
  t = await LOAD[language]();
}
