# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs: CANN's layout, so that existing build files find Ferry, and a
# CMake package and a pkg-config file for new ones. Templates are in install/. A component is what a Debian package
# contains (packages.cmake); `cmake --install` without --component installs all.
include(CMakePackageConfigHelpers)

set(install_templates ${PROJECT_SOURCE_DIR}/cmake/install)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ferry)

# ---- headers, library, program, example sources ----

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

set_target_properties(ferry_headers PROPERTIES EXPORT_NAME headers)
target_include_directories(ferry_headers INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS ascendcl ferry_headers EXPORT ferry LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)

install(TARGETS ${FERRY_COMPANIONS} ferry_signals ferry_trace
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
if(TARGET ferry_symbols)
  install(TARGETS ferry_symbols LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
endif()
# What `ferry explain RULE` shows.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/rules DESTINATION ${CMAKE_INSTALL_DATADIR}/ferry COMPONENT tools
  FILES_MATCHING PATTERN "*.md")

if(TARGET ferry_backend_cuda)
  install(TARGETS ferry_backend_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cuda)
endif()
if(TARGET ferry_ucx)
  install(TARGETS ferry_ucx LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT fabric)
endif()
if(FERRY_TOOLS)
  install(TARGETS ferry RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  if(FERRY_MANUAL)
    install(DIRECTORY ${FERRY_MANUAL}/man1 DESTINATION ${CMAKE_INSTALL_DATADIR}/man COMPONENT tools)
    install(FILES ${FERRY_MANUAL}/ferry
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
    install(FILES ${FERRY_MANUAL}/_ferry DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tools)
    install(FILES ${FERRY_MANUAL}/ferry.fish
      DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tools)
  endif()
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/ferry COMPONENT development
  FILES_MATCHING PATTERN "*.cpp" PATTERN "*.h" PATTERN "CMakeLists.txt" PATTERN "README.md"
  PATTERN "build" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/ferry COMPONENT library)

# ---- the other names under which build files look for CANN ----

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(architecture aarch64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(architecture x86_64)
else()
  set(architecture ${CMAKE_SYSTEM_PROCESSOR})
endif()

set(links ${PROJECT_BINARY_DIR}/install_links)
file(REMOVE_RECURSE ${links})
foreach(home IN ITEMS ${architecture}-linux runtime acllib compiler)
  file(MAKE_DIRECTORY ${links}/${home})
  file(CREATE_LINK ../${CMAKE_INSTALL_INCLUDEDIR} ${links}/${home}/include SYMBOLIC)
  file(CREATE_LINK ../${CMAKE_INSTALL_LIBDIR} ${links}/${home}/lib64 SYMBOLIC)
endforeach()
file(MAKE_DIRECTORY ${links}/${CMAKE_INSTALL_LIBDIR})
foreach(name IN LISTS FERRY_OTHER_NAMES)
  file(CREATE_LINK libascendcl.so ${links}/${CMAKE_INSTALL_LIBDIR}/${name} SYMBOLIC)
endforeach()
file(CREATE_LINK ${CMAKE_INSTALL_LIBDIR} ${links}/devlib SYMBOLIC)
# Programs look whether it exists. There are no operators in it.
file(MAKE_DIRECTORY ${links}/opp)
install(DIRECTORY ${links}/ DESTINATION . COMPONENT library)
# On Debian and its derivatives find_package does not search lib64; it searches share everywhere.
set(links ${PROJECT_BINARY_DIR}/install_links_for_cmake)
file(MAKE_DIRECTORY ${links}/${CMAKE_INSTALL_DATADIR}/cmake)
file(CREATE_LINK ../../${package_folder} ${links}/${CMAKE_INSTALL_DATADIR}/cmake/ferry SYMBOLIC)
install(DIRECTORY ${links}/ DESTINATION . COMPONENT development)

# ---- for projects that build against it ----

configure_package_config_file(${install_templates}/ferryConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ferryConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ferryConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ferryConfig.cmake ${PROJECT_BINARY_DIR}/ferryConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT development)
install(EXPORT ferry NAMESPACE ferry:: FILE ferryTargets.cmake DESTINATION ${package_folder} COMPONENT development)

configure_file(${install_templates}/ferry.pc.in ${PROJECT_BINARY_DIR}/ferry.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ferry.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

install(FILES ${install_templates}/setenv.bash DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)

# The prefix is known only when the install runs: --prefix may differ from what was configured.
install(CODE "
  set(prefix \"\${CMAKE_INSTALL_PREFIX}\")
  configure_file(\"${install_templates}/set_env.sh.in\" \"${PROJECT_BINARY_DIR}/set_env.sh\" @ONLY)
  file(INSTALL \"${PROJECT_BINARY_DIR}/set_env.sh\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}\")" COMPONENT library)
