// SPDX-License-Identifier: Apache-2.0
// Provides Python stacks for the checker's reports. The package `ferry` needs nothing of its own
// for that: it imports `acl`.
#ifndef FERRY_PYTHON_ACL_SCRIPT_STACK_H
#define FERRY_PYTHON_ACL_SCRIPT_STACK_H

namespace ferry::python {

// Tells the library where to get Python stacks from; it uses them only while the checker is on.
void offer_script_stack();

}  // namespace ferry::python

#endif
