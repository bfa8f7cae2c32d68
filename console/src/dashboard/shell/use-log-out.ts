import { useSending } from '../../ui/forms/use-sending';
import { svc } from '../operations/api';
import { LOG_IN } from '../operations/log-in-addresses';
import { notifyTabs } from '../tabs';
import { rememberLoggedIn } from '../was-logged-in';

const LOG_OUT = {
  browser: () => svc.request('consoleCloseSession', {}),
  everywhere: () => svc.request('consoleLogOut', {}),
};

/** Ends this browser's session, or all of the member's, and shows the log-in. */
export const useLogOut = () =>
  useSending({
    mutationFn: async (where: keyof typeof LOG_OUT) => {
      await LOG_OUT[where]();
    },
    onSuccess: () => {
      rememberLoggedIn(false);
      notifyTabs(undefined);
      location.replace(LOG_IN);
    },
  });
