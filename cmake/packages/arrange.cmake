# SPDX-License-Identifier: Apache-2.0
# Run by CPack for each component, after it was installed and before it is packed: moves what belongs into Debian's own
# folders there, and adds what each Debian package has.
string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC)

# gzip_file(SOURCE TARGET): without the time, so that the same sources make the same package.
function(gzip_file source target)
  execute_process(COMMAND gzip -9nc ${source} OUTPUT_FILE ${target} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(arrange_documentation root component)
  set(name ${CPACK_FERRY_${component}_NAME})
  set(folder ${root}/usr/share/doc/${name})
  file(MAKE_DIRECTORY ${folder})
  configure_file(${CPACK_FERRY_SOURCE}/cmake/packages/copyright ${folder}/copyright COPYONLY)
  file(WRITE ${folder}/changelog.Debian "ferry (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n\
  * See changelog.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${today}\n")
  gzip_file(${folder}/changelog.Debian ${folder}/changelog.Debian.gz)
  file(REMOVE ${folder}/changelog.Debian)
  gzip_file(${CPACK_FERRY_SOURCE}/CHANGELOG.md ${folder}/changelog.gz)
endfunction()

function(arrange_tools root)
  set(share ${root}/usr/lib/ferry/share)
  file(MAKE_DIRECTORY ${root}/usr/bin ${root}/usr/share)
  file(CREATE_LINK ../lib/ferry/bin/ferry ${root}/usr/bin/ferry SYMBOLIC)
  foreach(folder IN ITEMS bash-completion fish zsh)
    if(EXISTS ${share}/${folder})
      file(RENAME ${share}/${folder} ${root}/usr/share/${folder})
    endif()
  endforeach()
  if(EXISTS ${root}/usr/share/zsh/site-functions)
    file(RENAME ${root}/usr/share/zsh/site-functions ${root}/usr/share/zsh/vendor-completions)
  endif()
  file(GLOB pages RELATIVE ${share}/man/man1 ${share}/man/man1/*.1)
  file(MAKE_DIRECTORY ${root}/usr/share/man/man1)
  foreach(page IN LISTS pages)
    gzip_file(${share}/man/man1/${page} ${root}/usr/share/man/man1/${page}.gz)
  endforeach()
  file(REMOVE_RECURSE ${share}/man)
endfunction()

function(arrange_development root)
  file(MAKE_DIRECTORY ${root}/usr/share/cmake/ferry ${root}/usr/share/pkgconfig)
  # In these folders, the files cannot derive the prefix from where they are.
  foreach(name IN ITEMS ferryConfig.cmake ferryConfigVersion.cmake)
    file(WRITE ${root}/usr/share/cmake/ferry/${name} "include(/usr/lib/ferry/lib64/cmake/ferry/${name})\n")
  endforeach()
  file(READ ${root}/usr/lib/ferry/lib64/pkgconfig/ferry.pc description)
  string(REGEX REPLACE "# Relocatable[^\n]*\nprefix=[^\n]*" "prefix=/usr/lib/ferry" description "${description}")
  file(WRITE ${root}/usr/share/pkgconfig/ferry.pc "${description}")
endfunction()

# Behind all other folders: CANN's module, which its set_env.sh puts into PYTHONPATH, comes first.
function(arrange_python root)
  file(MAKE_DIRECTORY ${root}/usr/lib/python3/dist-packages)
  file(WRITE ${root}/usr/lib/python3/dist-packages/ferry.pth "/usr/lib/ferry/python/site-packages\n")
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
  if(NOT IS_DIRECTORY ${root})
    message(FATAL_ERROR "nothing was installed for the package ${CPACK_FERRY_${component}_NAME}: ${root} does not exist")
  endif()
  arrange_documentation(${root} ${component})
  if(COMMAND arrange_${component})
    cmake_language(CALL arrange_${component} ${root})
  endif()
endforeach()
