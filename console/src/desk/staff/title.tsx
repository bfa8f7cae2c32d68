import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** The title of a step, which a screen reader reads when it begins. */
export function Title({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
