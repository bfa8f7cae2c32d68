import { page } from '../../../light/page';
import { SignUp } from '../sign-up';

export default page(<SignUp />);
