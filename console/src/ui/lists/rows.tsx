import type { ComponentProps } from 'react';
import { classes } from '../layout/classes';
import style from './rows.module.css';

/** A list without bullets, with a line between its rows if it is lined. */
export const Rows = ({
  lined = false,
  className,
  ...rest
}: ComponentProps<'ul'> & { readonly lined?: boolean }) => (
  <ul className={classes(style.rows, lined && style.lined, className)} {...rest} />
);
