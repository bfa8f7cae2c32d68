import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonAnchor } from '../forms/button';
import { CopyButton } from '../forms/copy';
import { Row, Stack } from '../layout/stack';
import { QrCodeLater } from './qr-code-later';

/** A code for a phone, with a link that opens it in another tab instead. A stale code is dimmed and has no link. */
export const Scan = ({
  text,
  label,
  address = text.startsWith('https:') ? text : `/phone/#code=${encodeURIComponent(text)}`,
  stale = false,
  children,
}: {
  readonly text: string;
  readonly label: string;
  /** The page that “Open in this browser” opens. */
  readonly address?: string;
  readonly stale?: boolean;
  /** How long the code is valid, or why it is not. */
  readonly children?: ReactNode;
}) => (
  <Stack gap={3} align="start">
    <QrCodeLater text={text} label={label} stale={stale} />
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
  </Stack>
);
