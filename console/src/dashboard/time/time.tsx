import { Corrections } from './corrections/corrections';
import { inLanguage } from './language/in-language';
import { Month } from './month/month';
import { PersonMonth } from './person/person-month';

// What needs a right over hours is loaded together, because it shares most of its code.
export const openMonth = () => inLanguage(() => Month);
export const openPersonMonth = () => inLanguage(() => PersonMonth);
export const openCorrections = () => inLanguage(() => Corrections);
