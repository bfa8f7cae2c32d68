import '../ui/theme/theme.css';
import type { ReactElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { Boundary } from '../ui/layout/boundary';

/**
 * A light page, which its module exports by default: the build renders it into the HTML, and the browser makes that work. What
 * depends on the browser or the address may only change it in an effect.
 */
export function page(content: ReactElement): ReactElement {
  const whole = <Boundary>{content}</Boundary>;
  if (typeof document !== 'undefined') hydrateRoot(document.querySelector('#root') as HTMLElement, whole);
  return whole;
}
