import { useState } from 'react';
import { QrCodeLater } from '../../ui/codes/qr-code-later';
import { Dialog } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Notice } from '../../ui/layout/surface';
import { useCountdown } from '../../ui/lists/time';
import { useRights } from '../nouns/members/rights';
import type { Reply } from '../operations/operation';
import { useSend } from '../operations/send';
import style from './your-security.module.css';

type Link = Reply<'consoleOpenMemberLink'>['link'];

/** Who a member who decides about hours is as a person, so that they decide nothing about their own. */
export function MemberLink() {
  const { hours } = useRights();
  const [link, setLink] = useState<Link>();
  const open = useSend('consoleOpenMemberLink', { onSuccess: (reply) => setLink(reply.link) });
  if (!hours) return null;
  return (
    <Panel title="You as a person">
      <p>
        If you also come and go with your phone here, let it show which person you are. You then decide
        nothing about your own working time for the company.
      </p>
      {open.error && <Failure error={open.error} />}
      <div>
        <Button busy={open.isPending} onClick={() => open.mutate({})}>
          Show it with your phone
        </Button>
      </div>
      {link && (
        <Code
          key={link.token}
          link={link}
          busy={open.isPending}
          onRenew={() => open.mutate({})}
          onClose={() => setLink(undefined)}
        />
      )}
    </Panel>
  );
}

function Code({
  link,
  busy,
  onRenew,
  onClose,
}: {
  readonly link: Link;
  readonly busy: boolean;
  readonly onRenew: () => void;
  readonly onClose: () => void;
}) {
  const isOver = useCountdown(link.expiresAt) === 0;
  return (
    <Dialog title="Show it with your phone" onClose={onClose}>
      <p>Scan this code with the phone that you come and go with. The phone says when it is done.</p>
      <div className={style.code}>
        <QrCodeLater text={link.url} label="QR code for your phone" stale={isOver} data-address={link.url} />
      </div>
      {isOver && (
        <Notice
          tone="warn"
          action={
            <Button look="primary" busy={busy} onClick={onRenew}>
              Show a new code
            </Button>
          }
        >
          The code was good for ten minutes.
        </Notice>
      )}
    </Dialog>
  );
}
