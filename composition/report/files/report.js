(function(){
'use strict';
var root=document.documentElement,over=document.querySelector('.over');
var dark=window.matchMedia('(prefers-color-scheme:dark)');
function isDark(){return root.dataset.theme?root.dataset.theme==='dark':dark.matches}
var button=document.createElement('button');
button.type='button';
function name(){button.textContent=isDark()?'light page':'dark page'}
button.addEventListener('click',function(){root.dataset.theme=isDark()?'light':'dark';name()});
dark.addEventListener('change',name);
name();
if(over){over.appendChild(button)}

document.querySelectorAll('.diagram .scroll').forEach(function(box){
if(box.clientHeight+4>=box.scrollHeight){return}
var whole=document.createElement('button');
whole.type='button';
function say(){whole.textContent=box.classList.contains('whole')?'show less of the diagram':'cut off below: show the whole diagram'}
whole.addEventListener('click',function(){box.classList.toggle('whole');say()});
say();
box.parentNode.insertBefore(whole,box)});

document.querySelectorAll('figure .scroll').forEach(function(box){
var hint=null;
function look(){
var more=box.scrollWidth>box.clientWidth+4;
box.classList.toggle('more',more&&box.scrollWidth-box.clientWidth-box.scrollLeft>4);
if(more&&!hint){hint=document.createElement('span');hint.className='sideways';
hint.textContent='goes on to the right: scroll sideways \u2192';box.parentNode.insertBefore(hint,box.nextSibling)}
if(hint){hint.hidden=!more}}
box.addEventListener('scroll',look,{passive:true});window.addEventListener('resize',look);look()});

function stamp(plot,seconds){
return new Date(Math.round((plot.from-40587)*86400000+seconds*1000)).toISOString().replace(/\.000Z$/,'Z')}
function cell(text){return /[",\n]/.test(text)?'"'+text.replace(/"/g,'""')+'"':text}
function addDownload(svg,plot){
if(!plot.s.some(function(s){return s.t.length})){return}
var figure=svg.closest('figure'),caption=figure?figure.querySelector('figcaption'):null;
if(!caption||!window.Blob||!window.URL){return}
var get=document.createElement('button');
get.type='button';get.textContent='data (CSV)';get.title='what this picture draws; the results files hold every value';
get.addEventListener('click',function(){
var lines=['series,unit,time,value'];
plot.s.forEach(function(s){for(var i=0;s.t.length>i;i++){
lines.push([cell(s.n),cell(s.u),stamp(plot,s.t[i]),s.v[i]===null?'':s.v[i]].join(','))}});
var link=document.createElement('a');
link.href=URL.createObjectURL(new Blob([lines.join('\n')+'\n'],{type:'text/csv'}));
link.download=(caption.firstChild.textContent||'plot').replace(/[^\w.-]+/g,'-')+'.csv';
link.click();URL.revokeObjectURL(link.href)});
caption.appendChild(get)}

var tip=document.createElement('div');
tip.className='tip';tip.hidden=true;
document.body.appendChild(tip);
function line(parent,left,right){
var row=document.createElement('div'),a=document.createElement('span'),b=document.createElement('span');
a.textContent=left;b.textContent=right;row.appendChild(a);row.appendChild(b);parent.appendChild(row)}
function nearest(list,value){
var low=0,high=list.length-1;
while(high-low>1){var middle=(low+high)>>1;if(list[middle]>value){high=middle}else{low=middle}}
return Math.abs(list[low]-value)>Math.abs(list[high]-value)?high:low}
document.querySelectorAll('svg[data-plot]').forEach(function(svg){
var plot=JSON.parse(svg.getAttribute('data-plot'));
addDownload(svg,plot);
var cursor=document.createElementNS('http://www.w3.org/2000/svg','line');
cursor.setAttribute('class','cursor');cursor.setAttribute('y1',plot.y);cursor.setAttribute('y2',plot.b);
cursor.style.display='none';svg.appendChild(cursor);
var seconds=(plot.to-plot.from)*86400;
function hide(){tip.hidden=true;cursor.style.display='none'}
svg.addEventListener('pointerleave',hide);
svg.addEventListener('pointermove',function(event){
var box=svg.getBoundingClientRect(),scale=svg.viewBox.baseVal.width/box.width;
var at=((event.clientX-box.left)*scale-plot.x)/plot.w*seconds;
if(0>at||at>seconds){hide();return}
var best=null;
plot.s.forEach(function(s){if(s.t.length){var i=nearest(s.t,at);
if(best===null||Math.abs(best-at)>Math.abs(s.t[i]-at)){best=s.t[i]}}});
if(best===null){hide();return}
tip.textContent='';
var head=document.createElement('b');
head.textContent=new Date(Math.round((plot.from-40587)*86400000+best*1000)).toISOString().replace(/:00\.000Z$/,'Z').replace(/\.000Z$/,'Z');
tip.appendChild(head);
plot.s.forEach(function(s){if(s.t.length){var i=nearest(s.t,best);
if(seconds/60>Math.abs(s.t[i]-best)){line(tip,s.n,String(s.v[i])+' '+s.u)}}});
var x=plot.x+best/seconds*plot.w;
cursor.setAttribute('x1',x);cursor.setAttribute('x2',x);cursor.style.display='';
tip.hidden=false;
var left=event.clientX+16,width=tip.offsetWidth;
if(left+width>window.innerWidth-8){left=event.clientX-16-width}
tip.style.left=Math.max(4,left)+'px';
tip.style.top=Math.max(4,Math.min(event.clientY+14,window.innerHeight-tip.offsetHeight-8))+'px'})});

var links={};
document.querySelectorAll('nav a').forEach(function(a){links[a.getAttribute('href').slice(1)]=a});
if('IntersectionObserver' in window){
var watcher=new IntersectionObserver(function(entries){entries.forEach(function(entry){
if(entry.isIntersecting){Object.keys(links).forEach(function(id){links[id].classList.toggle('here',id===entry.target.id)})}})},
{rootMargin:'-10% 0px -80% 0px'});
document.querySelectorAll('main section[id]').forEach(function(section){watcher.observe(section)})}
})();
