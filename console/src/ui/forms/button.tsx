import type { ComponentProps } from 'react';
import { classes } from '../layout/classes';
import style from './button.module.css';

export interface Look {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly small?: boolean;
}

export const classOf = ({ look = 'plain', small = false }: Look, more?: string) =>
  classes(style.button, look !== 'plain' && style[look], small && style.small, more);

/** `busy` shows a spinner and ignores clicks. `useSending` also ignores a second click before the button renders as busy. */
export function Button({
  look,
  small,
  busy = false,
  className,
  children,
  ...rest
}: ComponentProps<'button'> & Look & { readonly busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ ...(look && { look }), ...(small && { small }) }, className)}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

export function ButtonAnchor({ look, small, className, ...rest }: ComponentProps<'a'> & Look) {
  return <a {...rest} className={classOf({ ...(look && { look }), ...(small && { small }) }, className)} />;
}

const Spinner = () => <span className={style.spinner} aria-hidden="true" />;
