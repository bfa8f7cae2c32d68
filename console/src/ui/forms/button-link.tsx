import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { classOf, type Look } from './button';

/** Apart from the other buttons, so that pages without a router don't load one. */
export function ButtonLink({ look, small, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return (
    <Link {...rest} className={classOf({ ...(look && { look }), ...(small && { small }) }, className)} />
  );
}
