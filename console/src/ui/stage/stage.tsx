import { Smartphone } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { QrCode } from '../codes/qr-code';
import { Button } from '../forms/button';
import { classes } from '../layout/classes';
import style from './stage.module.css';

export interface StageWords {
  /** The accessible name of the code. */
  readonly code: string;
  /** Above the number, beside the code. */
  readonly number: string;
  readonly connected: string;
  /** Above the number, once the phone asks for it. */
  readonly type: string;
  /** Instead of a number, if the phone asks for none. */
  readonly goOn: string;
  /** Shows the code again, because the connected phone was somebody else's. */
  readonly showCode: string;
}

/** The code and its number in their places, which are empty while there is none. Once a phone has opened the code, the number takes its place. */
export function Stage({
  text,
  url,
  number,
  isStale = false,
  isConnected,
  words,
  onShowCode,
  children,
}: {
  readonly text: string | undefined;
  /** The same as an address, which any camera opens. */
  readonly url?: string | null | undefined;
  /** Undefined while it is not known, null if the phone asks for none. */
  readonly number: string | null | undefined;
  /** The code may not work now. */
  readonly isStale?: boolean;
  readonly isConnected: boolean;
  readonly words: StageWords;
  /** Undefined if there is no way back to the code. */
  readonly onShowCode?: (() => void) | undefined;
  /** Below the code or the number: how the wait is going. */
  readonly children?: ReactNode;
}) {
  const id = useId();
  const output = (
    <output className={style.digits} aria-labelledby={id}>
      {number ?? '\u00a0'}
    </output>
  );
  return (
    <div className={style.stage} data-qr-payload={text} data-match-code={number ?? undefined}>
      {isConnected ? (
        <div className={classes(style.connected, number === null && style.lone)}>
          <p className={style.phone} role="status">
            <Smartphone size={20} aria-hidden="true" />
            {words.connected}
          </p>
          <p id={id}>{number === null ? words.goOn : words.type}</p>
          {number !== null && output}
          {onShowCode && (
            <Button look="quiet" onClick={onShowCode}>
              {words.showCode}
            </Button>
          )}
        </div>
      ) : (
        <div className={classes(style.scan, number === null && style.alone)}>
          <div className={style.code}>
            {text !== undefined && (
              <QrCode text={url?.startsWith('https:') ? url : text} label={words.code} stale={isStale} />
            )}
          </div>
          {number !== null && (
            <div className={style.number}>
              <span id={id}>{words.number}</span>
              {output}
            </div>
          )}
        </div>
      )}
      {children}
    </div>
  );
}
