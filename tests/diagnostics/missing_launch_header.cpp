#include "aclrtlaunch_add_custom.h"
