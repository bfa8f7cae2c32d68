import { ButtonLink } from '../../ui/forms/button-link';
import { Panel } from '../../ui/layout/panel';
import { Page } from '../../ui/layout/surface';
import { Loaded } from '../../ui/lists/loaded';
import { useAccount } from '../operations/account';
import { useEnvironment } from '../operations/environment';
import { pageIn } from '../paths';
import { TryEndpoint } from './try-endpoint';
import { useEndpoints } from './use-endpoints';

const TITLE = 'Playground';

/** Sends real requests to the API, in the test environment only. */
export const Playground = () => (useEnvironment() === 'test' ? <TestPlayground /> : <NotInLive />);

function TestPlayground() {
  const endpoints = useEndpoints();
  const { data: account } = useAccount();
  return (
    <Page title={TITLE} about="Send real requests to the API with a test key. They only change test data.">
      <Loaded name="the endpoints" query={endpoints}>
        {(all) => account && <TryEndpoint endpoints={all} tenantId={account.tenant.id} />}
      </Loaded>
    </Page>
  );
}

const NotInLive = () => (
  <Page title={TITLE}>
    <Panel title="Only for test data">
      <p>
        This page sends real requests to the API, so that you can see what each endpoint returns. It only runs
        in the test environment, where nothing touches live data.
      </p>
      <div>
        <ButtonLink look="primary" to={pageIn('test', 'playground')}>
          Open the test environment
        </ButtonLink>
      </div>
    </Panel>
  </Page>
);
