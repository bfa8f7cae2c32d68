import { Text } from '../../../ui/lists/value';
import style from './person-name.module.css';

const ERASED = 'Erased person';

/** Only people who were erased have an empty name. */
export const isErased = (name: string | null | undefined): boolean => name === '';

/** The name of a person as text. */
export const textOfName = (name: string): string => (isErased(name) ? ERASED : name);

/** The name of a person. Null if it is not known. */
export const PersonName = ({ of }: { readonly of: string | null }) =>
  isErased(of) ? <span className={style.erased}>{ERASED}</span> : <Text of={of} />;
