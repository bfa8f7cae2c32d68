import { Text } from '../../ui/lists/value';
import { Frame } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';
import type { PageData } from '../page-data';

export const SignedOut = ({ brand, client }: Extract<PageData, { readonly view: 'signed_out' }>) => (
  <Frame brand={brand} title={t.signedOut.title}>
    <Outcome tone="good" title={t.signedOut.title}>
      {client && <p>{t.signedOut.text(<Text of={client.name} />)}</p>}
      <p>{t.close}</p>
    </Outcome>
  </Frame>
);
