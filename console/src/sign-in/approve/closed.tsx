import { Link2Off } from 'lucide-react';
import type { Brand } from '../../ui/brand/company';
import { Frame } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';

/** This browser has no such sign-in, or no longer. */
export const Closed = ({
  brand,
  focus = false,
}: {
  readonly brand?: Brand | undefined;
  readonly focus?: boolean;
}) => (
  <Frame brand={brand} title={t.closed.title}>
    <Outcome tone="calm" icon={Link2Off} title={t.closed.title} focus={focus}>
      <p>{t.closed.text}</p>
    </Outcome>
  </Frame>
);
