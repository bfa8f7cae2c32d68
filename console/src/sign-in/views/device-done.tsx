import { Text } from '../../ui/lists/value';
import { Frame } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';
import type { PageData } from '../page-data';

export const DeviceDone = ({ brand, client }: Extract<PageData, { readonly view: 'device_done' }>) => (
  <Frame brand={brand} title={t.deviceDone.title}>
    <Outcome tone="good" title={t.deviceDone.title}>
      <p>{t.deviceDone.text(<Text of={client.name} />)}</p>
      <p>{t.close}</p>
    </Outcome>
  </Frame>
);
