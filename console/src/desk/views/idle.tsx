import type { ReactNode } from 'react';
import { useIdle } from '../flow/use-idle';
import { StillThere } from './still-there';

/** What is left when nobody touches it for a while, with a question before. */
export function Idle({
  seconds,
  name,
  onIdle,
  children,
}: {
  readonly seconds: number;
  /** Another one begins again. */
  readonly name: string;
  readonly onIdle: () => void;
  readonly children: ReactNode;
}) {
  const left = useIdle(seconds, name, onIdle);
  return (
    <>
      {children}
      <StillThere left={left} />
    </>
  );
}
