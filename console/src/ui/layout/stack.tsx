import type { ComponentProps } from 'react';
import style from './stack.module.css';

/** In quarters of a rem. */
type Gap = 1 | 2 | 3;
type Div = Omit<ComponentProps<'div'>, 'className'>;

/** One below another, as wide as the place. */
export const Stack = ({
  gap,
  align,
  ...rest
}: Div & { readonly gap?: Gap; readonly align?: 'start' | 'center' }) => (
  <div className={style.stack} data-gap={gap} data-align={align} {...rest} />
);

/** One beside another, on more lines where there is no room. */
export const Row = ({ gap, ...rest }: Div & { readonly gap?: Gap }) => (
  <div className={style.row} data-gap={gap} {...rest} />
);

/** A few things on a line of text, such as a value and the button that copies it. */
export const Inline = (props: Omit<ComponentProps<'span'>, 'className'>) => (
  <span className={style.inline} {...props} />
);

/** Two columns, or a column with a narrow one at its side. One below another where there is no room. */
export const Grid = ({ columns = 'halves', ...rest }: Div & { readonly columns?: 'halves' | 'side' }) => (
  <div className={columns === 'side' ? style.side : style.halves} {...rest} />
);
