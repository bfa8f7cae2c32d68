import { Ago } from '../../ui/lists/time';
import style from './aged.module.css';

/** Figures stay when they can’t be refreshed, with their age. */
export const Aged = ({ since }: { readonly since: number }) => (
  <p role="status" className={style.aged}>
    These figures could not be refreshed. They are from <Ago at={new Date(since).toISOString()} />.
  </p>
);
