import encodeQR from 'qr';
import { type ComponentProps, useMemo } from 'react';
import { classes } from '../layout/classes';
import style from './qr-code.module.css';

/** A QR code as SVG. `stale` dims a code that can't be used any more. Further properties are those of the element. */
export function QrCode({
  text,
  label,
  stale = false,
  ...rest
}: ComponentProps<'svg'> & {
  readonly text: string;
  readonly label: string;
  readonly stale?: boolean;
}) {
  const rows = useMemo(() => encodeQR(text, 'raw', { ecc: 'low', border: 2 }), [text]);
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      {...rest}
      className={classes(style.code, stale && style.stale)}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={label}
    >
      <path d={path} />
    </svg>
  );
}
