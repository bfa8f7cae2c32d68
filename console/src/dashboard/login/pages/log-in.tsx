import { page } from '../../../light/page';
import { LogIn } from '../login';

export default page(<LogIn />);
