import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonAnchor } from '../forms/button';
import { CopyButton } from '../forms/copy';
import { Row } from '../layout/surface';
import { QrCode } from './qr-code';
import style from './scan.module.css';

/** What a phone scans; who has none opens it in another tab. A code that is not worth scanning is dimmed, and offers neither. */
export const Scan = ({
  text,
  label,
  address = `/phone/#code=${encodeURIComponent(text)}`,
  stale = false,
  children,
}: {
  readonly text: string;
  readonly label: string;
  /** Where this browser opens it itself. */
  readonly address?: string;
  readonly stale?: boolean;
  /** How long it is good for, or why it is not. */
  readonly children?: ReactNode;
}) => (
  <div className={style.scan}>
    <QrCode text={text} label={label} stale={stale} />
    {children}
    {!stale && (
      <Row>
        <ButtonAnchor small href={address} target="_blank" rel="noopener">
          <ExternalLink size={16} aria-hidden="true" />
          Open in this browser
        </ButtonAnchor>
        <CopyButton text={text} label="Copy the link" />
      </Row>
    )}
  </div>
);
